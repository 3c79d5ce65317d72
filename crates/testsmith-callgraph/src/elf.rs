//! Reads a linked program: its functions, and what their relocations refer to.

use std::collections::BTreeMap;
use std::fmt;

use object::elf::{
    R_X86_64_64, R_X86_64_CODE_4_GOTPCRELX, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_PC32,
    R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX,
};
use object::{
    Architecture, File, Object, ObjectSection, ObjectSymbol, Relocation, RelocationFlags, RelocationTarget,
    SectionKind, SymbolKind,
};
use testsmith_rt::harness::outside::Outside;

use crate::instructions;

/// Why a program cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// It is none that this crate knows.
    Format(String),
    /// The linker has left no relocations in it.
    NoRelocations,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Format(reason) => f.write_str(reason),
            Unreadable::NoRelocations => f.write_str("the linker has left no relocations in the program"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// A processor whose programs can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    X86_64,
    Aarch64,
}

/// A function or a piece of data.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// As the linker knows it; empty for data.
    pub(crate) name: String,
    /// What it refers to, by number.
    pub(crate) refers_to: Vec<u32>,
    /// System calls that it makes itself.
    pub(crate) calls: Vec<Outside>,
}

/// Everything that is needed of a program.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Node>,
    /// Where functions begin, and how long they are, by address.
    functions: Vec<(u64, u64, u32)>,
    /// Where pieces of data begin.
    pieces: Vec<(u64, u32)>,
    by_name: BTreeMap<String, u64>,
    imports: BTreeMap<String, u32>,
}

/// A reference from an address to another, or to a function of a library.
struct Reference<'a> {
    from: u64,
    to: Target<'a>,
}

enum Target<'a> {
    Address(u64),
    Import(&'a str),
}

impl Program {
    pub(crate) fn read(bytes: &[u8]) -> Result<Program, Unreadable> {
        let file = File::parse(bytes).map_err(|error| Unreadable::Format(error.to_string()))?;
        let machine = match (file.format(), file.architecture()) {
            (object::BinaryFormat::Elf, Architecture::X86_64) => Machine::X86_64,
            (object::BinaryFormat::Elf, Architecture::Aarch64) => Machine::Aarch64,
            (format, architecture) => {
                return Err(Unreadable::Format(format!("{format:?} for {architecture:?} cannot be read")));
            }
        };
        let mut program = Program::default();
        program.read_functions(&file, machine);
        let code = references(&file, machine, |kind| kind == SectionKind::Text);
        if code.is_empty() {
            return Err(Unreadable::NoRelocations);
        }
        let data = references(&file, machine, |kind| {
            matches!(kind, SectionKind::Data | SectionKind::ReadOnlyData | SectionKind::ReadOnlyDataWithRel)
        });
        program.read_pieces(&file, code.iter().chain(&data));
        for reference in code.iter().chain(&data) {
            program.join(reference);
        }
        for node in &mut program.nodes {
            node.refers_to.sort_unstable();
            node.refers_to.dedup();
        }
        Ok(program)
    }

    fn read_functions(&mut self, file: &File<'_>, machine: Machine) {
        let mut found: Vec<(u64, u64, &str)> = Vec::new();
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            if symbol.is_definition() && symbol.kind() == SymbolKind::Text {
                found.push((symbol.address(), symbol.size(), name));
                self.by_name.insert(name.to_owned(), symbol.address());
            }
        }
        // Of several names the longest part of the code counts, and those that the C library has before others.
        found.sort_by_key(|(address, size, name)| (*address, std::cmp::Reverse(*size), name.len()));
        found.dedup_by_key(|(address, ..)| *address);
        for (address, size, name) in found {
            let number = self.add(name);
            self.functions.push((address, size, number));
            if let Some(code) = code_at(file, address, size) {
                self.nodes[number as usize].calls = instructions::classes(machine, code);
            }
        }
    }

    /// Cuts data at every address that something refers to.
    fn read_pieces<'r>(&mut self, file: &File<'_>, references: impl Iterator<Item = &'r Reference<'r>>) {
        let sections: Vec<(u64, u64)> = file
            .sections()
            .filter(|section| !matches!(section.kind(), SectionKind::Text) && section.address() != 0)
            .map(|section| (section.address(), section.address() + section.size()))
            .collect();
        let is_data = |address: u64| sections.iter().any(|(first, end)| (*first..*end).contains(&address));
        let mut starts: Vec<u64> = references
            .filter_map(|reference| match reference.to {
                Target::Address(address) => Some(address),
                Target::Import(_) => None,
            })
            .filter(|address| is_data(*address))
            // What follows another section is no part of this one's last piece.
            .chain(sections.iter().map(|(first, _)| *first))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        for start in starts {
            let number = self.add("");
            self.pieces.push((start, number));
        }
    }

    fn join(&mut self, reference: &Reference<'_>) {
        let Some(from) = self.at(reference.from) else { return };
        let to = match reference.to {
            Target::Address(address) => self.at(address),
            Target::Import(name) => Some(self.import(name)),
        };
        if let Some(to) = to.filter(|to| *to != from) {
            self.nodes[from as usize].refers_to.push(to);
        }
    }

    /// The function or piece of data at an address.
    pub(crate) fn at(&self, address: u64) -> Option<u32> {
        let function = self.functions.partition_point(|(start, ..)| *start <= address).checked_sub(1);
        let function = function.map(|at| self.functions[at]);
        if let Some((start, size, number)) = function
            && address < start + size.max(1)
        {
            return Some(number);
        }
        let piece = self.pieces.partition_point(|(start, _)| *start <= address).checked_sub(1)?;
        Some(self.pieces[piece].1)
    }

    /// Where a function of this name begins.
    pub(crate) fn address(&self, name: &str) -> Option<u64> {
        self.by_name.get(name).copied()
    }

    fn import(&mut self, name: &str) -> u32 {
        if let Some(known) = self.imports.get(name) {
            return *known;
        }
        let number = self.add(name);
        self.imports.insert(name.to_owned(), number);
        number
    }

    fn add(&mut self, name: &str) -> u32 {
        let number = u32::try_from(self.nodes.len()).expect("a program has fewer functions");
        self.nodes.push(Node { name: name.to_owned(), ..Node::default() });
        number
    }
}

fn code_at<'d>(file: &File<'d>, address: u64, size: u64) -> Option<&'d [u8]> {
    let is_there = |section: &object::Section<'d, '_>| {
        section.kind() == SectionKind::Text
            && (section.address()..section.address() + section.size()).contains(&address)
    };
    file.sections().find(is_there)?.data_range(address, size).ok().flatten()
}

/// The references in sections of some kinds.
fn references<'d>(
    file: &File<'d>,
    machine: Machine,
    is_wanted: impl Fn(SectionKind) -> bool,
) -> Vec<Reference<'d>> {
    let mut all = Vec::new();
    for section in file.sections().filter(|section| is_wanted(section.kind())) {
        // It tells how to unwind, not who calls whom.
        if section.name().is_ok_and(|name| name.starts_with(".eh_frame") || name.starts_with(".gcc_except")) {
            continue;
        }
        for (from, relocation) in section.relocations() {
            let Some(to) = target(file, machine, &relocation) else { continue };
            all.push(Reference { from, to });
        }
    }
    all
}

fn target<'d>(file: &File<'d>, machine: Machine, relocation: &Relocation) -> Option<Target<'d>> {
    let RelocationTarget::Symbol(index) = relocation.target() else { return None };
    let symbol = file.symbol_by_index(index).ok()?;
    if symbol.kind() == SymbolKind::Tls {
        return None;
    }
    if symbol.is_undefined() {
        return symbol.name().ok().filter(|name| !name.is_empty()).map(Target::Import);
    }
    let offset = offset(machine, relocation)?;
    Some(Target::Address(symbol.address().wrapping_add_signed(offset)))
}

/// How far behind the symbol the target is. Where the processor counts from the end of an instruction, that is in the addend.
fn offset(machine: Machine, relocation: &Relocation) -> Option<i64> {
    let RelocationFlags::Elf { r_type } = relocation.flags() else { return None };
    Some(match machine {
        Machine::Aarch64 => relocation.addend(),
        Machine::X86_64 => match r_type {
            R_X86_64_PC32 | R_X86_64_PLT32 => relocation.addend() + 4,
            // The table holds the address of the symbol itself.
            R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX | R_X86_64_CODE_4_GOTPCRELX => 0,
            R_X86_64_64 => relocation.addend(),
            _ => relocation.addend(),
        },
    })
}
