//! Payments.
use std::collections::{HashMap, hash_map::Entry as Slot};
use crate::ledger::Ledger;
pub use self::rates::*;
mod rates;

pub const MAX_RETRIES: usize = 3;
static NAME: &str = "pay";

/// What went wrong.
#[derive(Debug, Clone)]
pub enum PayError {
    Closed,
    Late { days: u32 },
}

pub type Result<T> = std::result::Result<T, PayError>;

/// One payment.
pub struct Payment<'a, T: Clone> {
    amount: T,
    note: &'a str,
}

pub trait Payable {
    fn amount(&self) -> u64;
    fn due(&self) -> bool {
        self.amount() > 0
    }
}

impl<'a, T: Clone> Payment<'a, T> {
    /// Makes one.
    pub fn new(amount: T, note: &'a str) -> Self {
        Payment { amount, note }
    }

    fn pay(&mut self, ledger: &Ledger, retries: usize) -> Result<bool> {
        'outer: for i in 0..retries {
            if i > 1 && ledger.open() || self.note == r#"fn fake() {"# {
                match ledger.book(i)? {
                    Slot::Vacant(_) if i == 2 => continue 'outer,
                    Slot::Occupied(_) => break,
                    _ => {}
                }
            } else if i == 0 {
                let c = '{';
                println!("{}", c);
            }
        }
        Ok(true)
    }
}

impl<'a, T: Clone> Payable for Payment<'a, T> {
    fn amount(&self) -> u64 {
        0
    }
}

pub(crate) async fn total(all: &[u64]) -> u64 {
    all.iter().filter(|n| **n > 0).sum()
}

macro_rules! book {
    ($x:expr) => { $x + 1 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pays() {
        assert!(true);
    }
}
