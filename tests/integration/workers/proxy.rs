//! A network that can be cut: what is sent meanwhile arrives later, or is lost with its connection.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub struct Proxy {
    port: u16,
    is_cut: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
}

impl Proxy {
    /// A way to a port of this machine.
    pub fn to(server: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let [is_cut, is_over] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (cut, over) = (Arc::clone(&is_cut), Arc::clone(&is_over));
        thread::spawn(move || {
            for from in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(from) = from else { continue };
                let Ok(to) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to) in [(&from, &to), (&to, &from)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (cut, over) = (Arc::clone(&cut), Arc::clone(&over));
                    thread::spawn(move || carry(from, to, &cut, &over));
                }
            }
        });
        Proxy { port, is_cut, is_over }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Cuts the network, or mends it.
    pub fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool, is_over: &AtomicBool) {
    let mut bytes = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while is_cut.load(Ordering::Relaxed) && !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
