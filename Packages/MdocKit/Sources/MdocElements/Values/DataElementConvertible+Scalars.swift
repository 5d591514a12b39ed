public import CBORKit
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: DataElementConvertible {
    /// Reads a text.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = try cbor(view.text())
    }

    /// A text.
    public func dataElement() -> CBOR { .text(self) }
}

extension Bool: DataElementConvertible {
    /// Reads true or false.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = try cbor(view.bool())
    }

    /// True or false.
    public func dataElement() -> CBOR { .bool(self) }
}

extension UInt64: DataElementConvertible {
    /// Reads a number from 0 up.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = try cbor(view.integer())
    }

    /// A number.
    public func dataElement() -> CBOR { .unsigned(self) }
}

extension Int: DataElementConvertible {
    /// Reads a number.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = try cbor(view.integer())
    }

    /// A number.
    public func dataElement() -> CBOR { .integer(self) }
}

extension ArraySlice: DataElementConvertible where Element == UInt8 {
    /// Reads a byte string, such as a portrait.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = try cbor(view.bytes())
    }

    /// A byte string.
    public func dataElement() -> CBOR { .bytes(Array(self)) }
}

extension Array: DataElementConvertible where Element: DataElementConvertible {
    /// Reads an array.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = []
        for element in try cbor(view.array()) { append(try Element(dataElement: element, reading: &reading)) }
    }

    /// An array.
    public func dataElement() throws(MdocError) -> CBOR {
        var elements: [CBOR] = []
        for element in self { elements.append(try element.dataElement()) }
        return .array(elements)
    }
}

extension Date: DataElementConvertible {
    /// Reads a `tdate`; other forms of RFC 3339 where they are tolerated.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        self = try reading.base.date(view)
    }

    /// A `tdate`; fractions of a second are cut off.
    public func dataElement() throws(MdocError) -> CBOR {
        .tagged(CBORTag.dateTime, .text(try tdateText()))
    }
}
