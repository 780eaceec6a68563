export default function mount() {}
