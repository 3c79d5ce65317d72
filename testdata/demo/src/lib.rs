//! Bookings of a meeting room on one day.

/// A time of day, in minutes.
pub type Minute = u16;

/// When the house opens and closes.
const OPEN: Minute = 8 * 60;
const CLOSED: Minute = 18 * 60;

/// Somebody has the room from one time until another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booking {
    pub from: Minute,
    pub until: Minute,
    pub who: String,
}

/// Why a booking is not possible.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It ends before it has started.
    Backwards,
    /// The house is closed.
    Closed,
    /// This person has the room.
    Taken(String),
}

/// The room, with its bookings in the order of the day.
#[derive(Debug, Default)]
pub struct Room {
    bookings: Vec<Booking>,
}

impl Booking {
    /// Whether both need the room at the same time; one may start when the other ends.
    pub fn overlaps(&self, other: &Booking) -> bool {
        self.from < other.until && other.from < self.until
    }
}

impl Room {
    /// Books the room, if nobody else has it.
    pub fn book(&mut self, from: Minute, until: Minute, who: &str) -> Result<(), Refusal> {
        if from >= until {
            return Err(Refusal::Backwards);
        }
        if from < OPEN || until > CLOSED {
            return Err(Refusal::Closed);
        }
        let booking = Booking { from, until, who: who.to_owned() };
        if let Some(other) = self.bookings.iter().find(|other| other.overlaps(&booking)) {
            return Err(Refusal::Taken(other.who.clone()));
        }
        self.bookings.push(booking);
        self.bookings.sort_by_key(|booking| booking.from);
        Ok(())
    }

    /// Cancels all bookings of a person. How many there were.
    pub fn cancel(&mut self, who: &str) -> usize {
        let before = self.bookings.len();
        self.bookings.retain(|booking| booking.who != who);
        before - self.bookings.len()
    }

    /// The first time at which the room is free for so long.
    pub fn first_gap(&self, length: Minute) -> Option<Minute> {
        let mut free = OPEN;
        for booking in &self.bookings {
            if booking.from - free >= length {
                return Some(free);
            }
            free = booking.until;
        }
        if CLOSED - free < length {
            return None;
        }
        Some(free)
    }

    /// How much of the day is booked, in percent.
    pub fn load(&self) -> u32 {
        let booked: Minute = self.bookings.iter().map(|booking| booking.until - booking.from).sum();
        u32::from(booked) * 100 / u32::from(CLOSED - OPEN)
    }
}
