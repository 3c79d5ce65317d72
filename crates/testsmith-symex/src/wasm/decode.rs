//! Reads the sections of a module and validates them on the way.
//!
//! Main function: [`Module::decode`]. Function bodies go to `translate`; one that the engine cannot express becomes a
//! function that says why when it is called, so that the rest of the module still runs.

use std::fmt;

use rustc_hash::FxHashMap;
use wasmparser::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, FuncValidatorAllocations, Operator, Parser,
    Payload, TypeRef, ValidPayload, Validator, WasmFeatures,
};

use super::module::{
    Body, Data, Elements, Export, Function, Global, Import, Module, NULL, Offset, Signature, ValType,
};
use super::{Instr, names, translate};

/// Why a module cannot be run at all.
#[derive(Debug)]
pub struct DecodeError(String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

impl From<wasmparser::BinaryReaderError> for DecodeError {
    fn from(error: wasmparser::BinaryReaderError) -> Self {
        Self(error.to_string())
    }
}

type Result<T> = std::result::Result<T, DecodeError>;

fn unsupported<T>(what: &str) -> Result<T> {
    Err(DecodeError(format!("{what} is not supported")))
}

impl Module {
    /// Reads, validates and translates a module.
    ///
    /// # Errors
    /// When it is no valid module, or needs what the engine has not at all: an imported memory, table or global, several
    /// memories, 64-bit addresses.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut decoder = Decoder::default();
        let mut validator = Validator::new_with_features(WasmFeatures::default());
        let mut allocations = FuncValidatorAllocations::default();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
                let mut checked = function.into_validator(allocations);
                decoder.body(&mut checked, &body)?;
                allocations = checked.into_allocations();
            } else {
                decoder.section(&payload)?;
            }
        }
        Ok(decoder.finish())
    }
}

#[derive(Default)]
struct Decoder {
    module: Module,
    /// From the module's type indices to numbers of signatures.
    types: Vec<Option<u32>>,
    known: FxHashMap<Signature, u32>,
    /// The next function that gets a body.
    next_body: u32,
}

impl Decoder {
    fn section(&mut self, payload: &Payload<'_>) -> Result<()> {
        match payload {
            Payload::TypeSection(section) => {
                for group in section.clone() {
                    for ty in group?.into_types() {
                        self.add_type(&ty);
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports() {
                    self.import(&import?)?;
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section.clone() {
                    let body = Body::Code { start: 0, registers: 0, locals: 0 };
                    self.function(ty?, body)?;
                }
            }
            Payload::TableSection(section) => {
                for table in section.clone() {
                    let ty = table?.ty;
                    self.module.tables.push((ty.initial, ty.maximum.unwrap_or(u64::from(u32::MAX))));
                }
            }
            Payload::MemorySection(section) => {
                for (number, memory) in section.clone().into_iter().enumerate() {
                    let memory = memory?;
                    if number > 0 || memory.memory64 || memory.shared || memory.page_size_log2.is_some() {
                        return unsupported("a second, shared or 64-bit memory");
                    }
                    self.module.memory = (memory.initial, memory.maximum.unwrap_or(1 << 16));
                }
            }
            Payload::GlobalSection(section) => {
                for global in section.clone() {
                    let global = global?;
                    let ty = value_type(global.ty.content_type);
                    let value = offset(&global.init_expr)?;
                    self.module.globals.push(Global { ty, value });
                }
            }
            Payload::ExportSection(section) => {
                for export in section.clone() {
                    let export = export?;
                    let what = match export.kind {
                        ExternalKind::Func | ExternalKind::FuncExact => Export::Function(export.index),
                        ExternalKind::Global => Export::Global(export.index),
                        ExternalKind::Memory => Export::Memory,
                        ExternalKind::Table => Export::Table(export.index),
                        ExternalKind::Tag => continue,
                    };
                    self.module.exports.push((export.name.to_owned(), what));
                }
            }
            Payload::StartSection { func, .. } => self.module.start = Some(*func),
            Payload::ElementSection(section) => {
                for segment in section.clone() {
                    let segment = elements(segment?)?;
                    self.module.elements.push(segment);
                }
            }
            Payload::DataSection(section) => {
                for segment in section.clone() {
                    let segment = segment?;
                    let offset = match segment.kind {
                        DataKind::Passive => None,
                        DataKind::Active { offset_expr, .. } => Some(offset(&offset_expr)?),
                    };
                    self.module.data.push(Data { offset, bytes: segment.data.to_vec() });
                }
            }
            Payload::CustomSection(section) => {
                for (function, name) in names::functions(section) {
                    if let Some(function) = self.module.functions.get_mut(function as usize) {
                        function.name = name;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_type(&mut self, ty: &wasmparser::SubType) {
        let number = match &ty.composite_type.inner {
            wasmparser::CompositeInnerType::Func(function) => {
                let signature = Signature {
                    params: function.params().iter().copied().map(value_type).collect(),
                    results: function.results().iter().copied().map(value_type).collect(),
                };
                Some(self.signature(signature))
            }
            _ => None,
        };
        self.types.push(number);
    }

    fn signature(&mut self, signature: Signature) -> u32 {
        let signatures = &mut self.module.signatures;
        *self.known.entry(signature).or_insert_with_key(|signature| {
            signatures.push(signature.clone());
            signatures.len() as u32 - 1
        })
    }

    fn import(&mut self, import: &wasmparser::Import<'_>) -> Result<()> {
        let (TypeRef::Func(ty) | TypeRef::FuncExact(ty)) = import.ty else {
            return unsupported(&format!("an import that is no function (`{}`)", import.name));
        };
        let number = self.module.imports.len() as u32;
        self.module.imports.push(Import { module: import.module.to_owned(), name: import.name.to_owned() });
        self.function(ty, Body::Import(number))?;
        self.next_body += 1;
        Ok(())
    }

    fn function(&mut self, ty: u32, body: Body) -> Result<()> {
        let Some(signature) = self.types[ty as usize] else {
            return unsupported("a type that is no function's");
        };
        self.module.functions.push(Function { signature, name: String::new(), body });
        Ok(())
    }

    fn body(
        &mut self,
        validator: &mut wasmparser::FuncValidator<wasmparser::ValidatorResources>,
        body: &wasmparser::FunctionBody<'_>,
    ) -> Result<()> {
        let function = self.next_body;
        self.next_body += 1;
        let start = self.module.code.len() as u32;
        let translated = translate::function(&mut self.module, &self.types, function, validator, body);
        let locals = validator.len_locals();
        let registers = match translated {
            Ok(registers) => registers,
            Err(why) => {
                self.unreadable(start, &why);
                let signature = self.module.signature(function);
                locals + signature.params.len().max(signature.results.len()) as u32
            }
        };
        self.module.functions[function as usize].body = Body::Code { start, registers, locals };
        self.module.starts.push((start, function));
        Ok(())
    }

    /// A function whose code cannot be read, an instruction of a later version of wasm for example, says so when it is called.
    fn unreadable(&mut self, start: u32, why: &DecodeError) {
        self.module.code.truncate(start as usize);
        let reason = self.module.reasons.len() as u32;
        self.module.reasons.push(why.to_string());
        self.module.code.push(Instr::Unsupported { reason });
    }

    fn finish(self) -> Module {
        self.module
    }
}

pub(super) fn value_type(ty: wasmparser::ValType) -> ValType {
    match ty {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::V128 => ValType::Vector,
        wasmparser::ValType::Ref(_) => ValType::Ref,
    }
}

/// The value of a constant expression; of those with arithmetic only sums and products of constants are used.
fn offset(expression: &ConstExpr<'_>) -> Result<Offset> {
    let mut stack: Vec<Offset> = Vec::new();
    for operator in expression.get_operators_reader() {
        match operator? {
            Operator::I32Const { value } => stack.push(Offset::Value(u64::from(value as u32))),
            Operator::I64Const { value } => stack.push(Offset::Value(value as u64)),
            Operator::F32Const { value } => stack.push(Offset::Value(u64::from(value.bits()))),
            Operator::F64Const { value } => stack.push(Offset::Value(value.bits())),
            Operator::RefNull { .. } => stack.push(Offset::Value(NULL)),
            Operator::RefFunc { function_index } => stack.push(Offset::Value(u64::from(function_index))),
            Operator::GlobalGet { global_index } => stack.push(Offset::Global(global_index)),
            Operator::End => {}
            other => return unsupported(&format!("the constant expression {other:?}")),
        }
    }
    match stack[..] {
        [one] => Ok(one),
        _ => unsupported("a constant expression of several values"),
    }
}

fn elements(segment: wasmparser::Element<'_>) -> Result<Elements> {
    let place = match segment.kind {
        ElementKind::Passive | ElementKind::Declared => None,
        ElementKind::Active { table_index, offset_expr } => {
            Some((table_index.unwrap_or(0), offset(&offset_expr)?))
        }
    };
    let references = match segment.items {
        ElementItems::Functions(functions) => {
            functions.into_iter().map(|function| Ok(u64::from(function?))).collect::<Result<_>>()?
        }
        ElementItems::Expressions(_, expressions) => {
            let reference = |expression: ConstExpr<'_>| match offset(&expression)? {
                Offset::Value(reference) => Ok(reference),
                Offset::Global(_) => unsupported("a reference from a global"),
            };
            expressions.into_iter().map(|expression| reference(expression?)).collect::<Result<_>>()?
        }
    };
    Ok(Elements { place, references })
}
