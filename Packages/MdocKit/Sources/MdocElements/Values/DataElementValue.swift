public import CBORKit
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value of a data element by its type: that of its table, or that of its CBOR item where no table describes it.
///
/// ```swift
/// switch claim.typedValue {
/// case .date(let day): show(day)
/// case .bytes(let image): show(image)
/// default: break
/// }
/// ```
public enum DataElementValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A day: a `full-date`.
    case date(FullDate)
    /// A moment: a `tdate`.
    case dateTime(Date)
    /// A byte string, such as a portrait.
    case bytes([UInt8])
    /// An array that a table describes.
    case array([DataElementValue])
    /// A map that a table describes: the members that the table has.
    case structure([String: DataElementValue])
    /// Any other value: a fraction, null, a number of more than 64 bits, or a structure without a table.
    case other(CBOR)
}

extension DataElementValue {
    /// Reads the value of an element.
    ///
    /// Only the form of the value is compared with the type; a ``DataElementSchema`` lists deviations in its content.
    ///
    /// - Parameters:
    ///   - view: The value.
    ///   - type: The type that the table of the element has; ``DataElementType/any`` for an element without a table.
    ///   - reading: The options; takes the deviations that are tolerated.
    /// - Throws: `MdocError` with code `unexpectedType`, `missingMember`, `invalidValue` or `deviation`, and the place.
    public init(
        dataElement view: CBORView,
        type: DataElementType = .any,
        reading: inout DataElementReading
    ) throws(MdocError) {
        switch type {
        case .text: self = .text(try String(dataElement: view, reading: &reading))
        case .fullDate: self = .date(try FullDate(dataElement: view, reading: &reading))
        case .dateTime: self = .dateTime(try Date(dataElement: view, reading: &reading))
        case .bool: self = .bool(try Bool(dataElement: view, reading: &reading))
        case .bytes: self = .bytes(Array(try ArraySlice<UInt8>(dataElement: view, reading: &reading)))
        case .unsigned:
            let number = try UInt64(dataElement: view, reading: &reading)
            self = Int(exactly: number).map(Self.integer) ?? .other(.unsigned(number))
        case .array(let element, _): self = .array(try Self.elements(of: view, element, &reading))
        case .map(let members, _): self = .structure(try Self.members(of: view, members, &reading))
        case .oneOf(let forms): self = try Self.firstForm(of: view, type, forms, &reading)
        case .any: self = try Self.plain(view, &reading)
        }
    }

    private static func elements(
        of view: CBORView,
        _ type: DataElementType,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> [DataElementValue] {
        var elements: [DataElementValue] = []
        for element in try cbor(view.array()) {
            elements.append(try DataElementValue(dataElement: element, type: type, reading: &reading))
        }
        return elements
    }

    private static func members(
        of view: CBORView,
        _ types: [DataElementType.Member],
        _ reading: inout DataElementReading
    ) throws(MdocError) -> [String: DataElementValue] {
        let map = try cbor(view.map())
        var members: [String: DataElementValue] = [:]
        for member in types {
            let value = member.isMandatory ? try cbor(map.required(member.name)) : map.value(forKey: member.name)
            guard let value else { continue }
            members[member.name] = try DataElementValue(dataElement: value, type: member.type, reading: &reading)
        }
        return members
    }

    /// The form that the outermost item has, or else the first that a tolerance allows.
    private static func firstForm(
        of view: CBORView,
        _ type: DataElementType,
        _ forms: [DataElementType],
        _ reading: inout DataElementReading
    ) throws(MdocError) -> DataElementValue {
        if let form = forms.first(where: { $0.form(of: view) != nil }) {
            return try DataElementValue(dataElement: view, type: form, reading: &reading)
        }
        for form in forms {
            var attempt = reading
            do throws(MdocError) {
                let value = try DataElementValue(dataElement: view, type: form, reading: &attempt)
                reading = attempt
                return value
            } catch {
                continue
            }
        }
        throw MdocError(.unexpectedType, "expected \(type), found \(view.typeName)", at: view)
    }

    /// The value by its outermost item; structures are not taken apart.
    private static func plain(
        _ view: CBORView,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> DataElementValue {
        switch view.tag {
        case CBORTag.fullDate?: return .date(try FullDate(dataElement: view, reading: &reading))
        case CBORTag.dateTime?: return .dateTime(try Date(dataElement: view, reading: &reading))
        case .some: return .other(view.value())
        case nil: break
        }
        let value = view.value()
        switch value {
        case .text(let text): return .text(text)
        case .bytes(let bytes): return .bytes(bytes)
        default:
            if let bool = value.boolValue { return .bool(bool) }
            if let number = value.integerValue.flatMap({ Int(exactly: $0) }) { return .integer(number) }
            return .other(value)
        }
    }
}

extension DataElementSchema {
    /// The type of an element by the tables for its type of document, ``DataElementType/any`` without one.
    public static func type(of element: DataElementReference, in docType: DocType) -> DataElementType {
        schema(for: docType)?[element]?.type ?? .any
    }
}
