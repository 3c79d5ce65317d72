//! A decent suite: every function is tested, but not every boundary.

use meeting_room::{Refusal, Room};

/// A time of day.
fn at(hour: u16, minute: u16) -> u16 {
    hour * 60 + minute
}

/// Ann has the room in the morning, Bob in the afternoon.
fn room() -> Room {
    let mut room = Room::default();
    room.book(at(14, 0), at(16, 0), "Bob").unwrap();
    room.book(at(9, 0), at(11, 30), "Ann").unwrap();
    room
}

#[test]
fn a_room_that_is_taken_cannot_be_booked() {
    let refusal = room().book(at(10, 0), at(12, 0), "Cid").unwrap_err();
    assert_eq!(refusal, Refusal::Taken("Ann".into()));
}

#[test]
fn a_room_can_be_booked_between_two_bookings() {
    assert_eq!(room().book(at(12, 0), at(13, 0), "Cid"), Ok(()));
}

#[test]
fn the_house_is_closed_at_night() {
    assert_eq!(room().book(at(7, 0), at(8, 30), "Cid"), Err(Refusal::Closed));
    assert_eq!(room().book(at(17, 0), at(19, 0), "Cid"), Err(Refusal::Closed));
}

#[test]
fn a_cancelled_booking_frees_the_room() {
    let mut room = room();
    assert_eq!(room.cancel("Ann"), 1);
    assert_eq!(room.book(at(10, 0), at(12, 0), "Cid"), Ok(()));
}

#[test]
fn the_first_gap_is_found() {
    assert_eq!(room().first_gap(30), Some(at(8, 0)));
    assert_eq!(room().first_gap(120), Some(at(11, 30)));
    assert_eq!(room().first_gap(180), None);
}

#[test]
fn the_room_is_free_after_the_last_booking() {
    let mut room = Room::default();
    room.book(at(8, 30), at(17, 0), "Dan").unwrap();
    assert_eq!(room.first_gap(45), Some(at(17, 0)));
}

#[test]
fn the_load_is_what_is_booked_of_the_day() {
    assert_eq!(room().load(), 45);
}
