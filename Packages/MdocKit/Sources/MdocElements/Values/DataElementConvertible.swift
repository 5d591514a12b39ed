public import CBORKit
public import MdocKit

/// A Swift value that stands for the value of a data element.
///
/// Reading demands the form of the standard; a known deviation of deployed issuers is taken where the options tolerate it,
/// and noted.
public protocol DataElementConvertible: Sendable {
    /// Reads the value of an element.
    ///
    /// - Parameters:
    ///   - view: The value.
    ///   - reading: The options; takes the deviations that are tolerated.
    /// - Throws: `MdocError` with code `unexpectedType`, `missingMember`, `invalidValue` or `deviation`, and the place.
    init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError)

    /// The value of an element.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if the standard has no form for the value.
    func dataElement() throws(MdocError) -> CBOR
}

extension VerifiedElement {
    /// The value as a Swift type.
    ///
    /// - Throws: `MdocError` for a value of another kind, with the fault.
    public func read<Value: DataElementConvertible>(
        as type: Value.Type = Value.self,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) -> Value {
        try Value(dataElement: view, options: options)
    }
}

extension VerifiedMdocDocument {
    /// The value of an element as a Swift type; nil if it was not returned.
    ///
    /// ```swift
    /// let birthDate = try document.read("birth_date", in: .mDL, as: FullDate.self)
    /// ```
    ///
    /// - Throws: `MdocError` for a value of another kind, with the fault.
    public func read<Value: DataElementConvertible>(
        _ identifier: DataElementIdentifier,
        in nameSpace: NameSpace,
        as type: Value.Type = Value.self,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) -> Value? {
        guard let element = self[nameSpace, identifier] else { return nil }
        return try element.read(as: type, options: options)
    }
}

extension IssuerSignedItem {
    /// The value as a Swift type; for the holder of a credential that was verified before it was stored.
    ///
    /// - Throws: `MdocError` for a value of another kind, with the fault.
    public func read<Value: DataElementConvertible>(
        as type: Value.Type = Value.self,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) -> Value {
        try Value(dataElement: elementValue, options: options)
    }
}

extension IssuerSignedBuilder {
    /// Adds a data element from a Swift value.
    ///
    /// - Throws: `MdocError` with code `duplicateElement` for an element that already exists, or `invalidValue` if the
    ///   standard has no form for the value.
    public mutating func add(
        encoding value: some DataElementConvertible,
        as identifier: DataElementIdentifier,
        in nameSpace: NameSpace
    ) throws(MdocError) {
        try add(try value.dataElement(), as: identifier, in: nameSpace)
    }

    /// Adds all of some data elements.
    ///
    /// - Throws: `MdocError` with code `duplicateElement` if one already exists.
    public mutating func add(_ elements: DataElements<CBOR>) throws(MdocError) {
        for group in elements.groups {
            for (identifier, value) in group.elements { try add(value, as: identifier, in: group.nameSpace) }
        }
    }
}

extension DataElements where Value == CBOR {
    /// Takes Swift values, such as those that a device signs.
    ///
    /// - Throws: `MdocError` with code `duplicateElement`, or `invalidValue` if the standard has no form for a value.
    public init(_ values: [(element: DataElementReference, value: any DataElementConvertible)]) throws(MdocError) {
        self.init()
        for (element, value) in values {
            guard self[element.nameSpace, element.identifier] == nil else {
                throw MdocError(.duplicateElement, "\(element) occurs twice")
            }
            self[element.nameSpace, element.identifier] = try value.dataElement()
        }
    }
}
