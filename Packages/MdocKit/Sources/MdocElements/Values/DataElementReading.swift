public import CBORKit
public import MdocKit

/// The members of a map within the value of a data element.
struct DataElementMap {
    private let map: CBORMapView

    /// Takes a map.
    init(_ view: CBORView) throws(MdocError) {
        map = try cbor(view.map())
    }

    /// A required member.
    func required<Value: DataElementConvertible>(
        _ name: String,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> Value {
        try Value(dataElement: try cbor(map.required(name)), reading: &reading)
    }

    /// A member that may be there.
    func optional<Value: DataElementConvertible>(
        _ name: String,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> Value? {
        guard let view = map.value(forKey: name) else { return nil }
        return try Value(dataElement: view, reading: &reading)
    }
}

/// The options for reading values of data elements, and the deviations tolerated so far.
///
/// ```swift
/// var reading = DataElementReading(options: .deployed)
/// let birthDate = try document.read("birth_date", in: .mDL, as: FullDate.self, reading: &reading)
/// for deviation in reading.deviations { print(deviation) }
/// ```
public struct DataElementReading: Sendable {
    var base: Reading

    /// Begins to read; strictly unless the options name tolerances.
    public init(options: MdocReadingOptions = .strict) {
        base = Reading(options)
    }

    /// The deviations from the standard that were tolerated so far, at most four places of each tolerance.
    public var deviations: [MdocDeviation] { base.deviations }
}

extension DataElementConvertible {
    /// Reads the value of an element.
    ///
    /// - Throws: `MdocError` with code `unexpectedType`, `missingMember`, `invalidValue` or `deviation`, and the place.
    public init(dataElement view: CBORView, options: MdocReadingOptions = .strict) throws(MdocError) {
        var reading = DataElementReading(options: options)
        try self.init(dataElement: view, reading: &reading)
    }
}

extension VerifiedElement {
    /// The value as a Swift type, with the deviations noted.
    ///
    /// - Throws: `MdocError` for a value of another kind, with the fault.
    public func read<Value: DataElementConvertible>(
        as type: Value.Type = Value.self,
        reading: inout DataElementReading
    ) throws(MdocError) -> Value {
        try Value(dataElement: view, reading: &reading)
    }
}

extension VerifiedMdocDocument {
    /// The value of an element as a Swift type, with the deviations noted; nil if it was not returned.
    ///
    /// - Throws: `MdocError` for a value of another kind, with the fault.
    public func read<Value: DataElementConvertible>(
        _ identifier: DataElementIdentifier,
        in nameSpace: NameSpace,
        as type: Value.Type = Value.self,
        reading: inout DataElementReading
    ) throws(MdocError) -> Value? {
        guard let element = self[nameSpace, identifier] else { return nil }
        return try element.read(as: type, reading: &reading)
    }
}

extension IssuerSignedItem {
    /// The value as a Swift type, with the deviations noted; for the holder of a credential that was verified before it was
    /// stored.
    ///
    /// - Throws: `MdocError` for a value of another kind, with the fault.
    public func read<Value: DataElementConvertible>(
        as type: Value.Type = Value.self,
        reading: inout DataElementReading
    ) throws(MdocError) -> Value {
        try Value(dataElement: elementValue, reading: &reading)
    }
}
