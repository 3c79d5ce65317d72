//! A jar of coins, on the day after its tests were written: some of it has another name, other values or other parameters.

/// Why a coin is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    Full,
    Worn,
}

/// Coins, in the order in which they came.
#[derive(Debug, Default)]
pub struct Jar {
    coins: Vec<u32>,
}

/// Was called `Purse`.
#[derive(Debug, Default)]
pub struct NewPurse {
    notes: u32,
}

impl Jar {
    /// Puts a coin in; how many there are then. It took worn ones.
    pub fn add(&mut self, coin: u32) -> Result<usize, Refusal> {
        if coin == 0 {
            return Err(Refusal::Worn);
        }
        if self.coins.len() == 3 {
            return Err(Refusal::Full);
        }
        self.coins.push(coin);
        Ok(self.coins.len())
    }

    /// Was called `sum`.
    pub fn total(&self) -> u32 {
        self.coins.iter().sum()
    }

    /// The fee was 1.
    pub fn after_fee(&self) -> u32 {
        self.total().saturating_sub(2)
    }

    /// Had no limit.
    pub fn largest(&self, below: u32) -> Option<u32> {
        self.coins.iter().copied().filter(|coin| *coin < below).max()
    }

    /// Was 0 of an empty jar.
    pub fn mean(&self) -> u32 {
        self.total() / self.coins.len() as u32
    }

    /// Was 7.
    pub fn token(&self) -> u32 {
        std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.subsec_nanos())
    }
}

impl NewPurse {
    pub fn notes(&self) -> u32 {
        self.notes
    }
}
