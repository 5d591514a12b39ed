public import CBORKit

/// One bucket of header parameters: a map from labels to values (RFC 9052 section 3).
///
/// A bucket that was read keeps its bytes and looks into them only when a parameter is asked for. A bucket that is built
/// is written deterministically (RFC 8949 section 4.2.1):
///
/// ```swift
/// let unprotected: COSEHeaderMap = [.kid: .bytes([0x31, 0x31])]
/// ```
public struct COSEHeaderMap: Sendable {
    private var parameters: LabelMap

    /// A bucket without parameters.
    public init() {
        parameters = LabelMap()
    }

    /// Reads a map of header parameters.
    ///
    /// - Throws: ``COSEError/Code/malformed`` for another item than a map, ``COSEError/Code/invalidLabel`` and
    ///   ``COSEError/Code/duplicateLabel`` for its labels.
    public init(cbor view: CBORView) throws(COSEError) {
        try self.init(cbor: view, maximumCount: .max)
    }

    /// Reads a map of at most `maximumCount` header parameters.
    init(cbor view: CBORView, maximumCount: Int) throws(COSEError) {
        parameters = try LabelMap(cbor: view, as: "header_map", maximumCount: maximumCount)
    }

    /// Reads a map of one integer in its deterministic encoding, the usual content of a protected bucket; nil for any other
    /// bytes.
    init?(ofOneInteger bytes: ArraySlice<UInt8>) {
        guard (3...5).contains(bytes.count), bytes.first == 0xa1 else { return nil }
        var position = bytes.startIndex + 1
        guard let label = Self.integer(in: bytes, at: &position), let value = Self.integer(in: bytes, at: &position),
            position == bytes.endIndex
        else { return nil }
        parameters = LabelMap(integer: value, for: label)
    }

    /// Reads an integer of at most three bytes, in its shortest form, and moves behind it.
    private static func integer(in bytes: ArraySlice<UInt8>, at position: inout Int) -> Int64? {
        guard position < bytes.endIndex, bytes[position] < 0x40 else { return nil }
        let initial = bytes[position]
        position += 1
        var argument = Int64(initial & 0x1f)
        let size = argument < 24 ? 0 : Int(argument) - 23
        if size > 0 {
            guard size <= 2, bytes.endIndex - position >= size else { return nil }
            argument = 0
            for _ in 0..<size {
                argument = argument << 8 | Int64(bytes[position])
                position += 1
            }
            guard argument >= (size == 1 ? 24 : 256) else { return nil }
        }
        return initial < 0x20 ? argument : ~argument
    }

    /// The labels in the order in which they stand.
    public var labels: [COSELabel] { parameters.labels }

    /// The number of parameters.
    public var count: Int { parameters.count }

    /// Indicates that it is empty.
    public var isEmpty: Bool { parameters.isEmpty }

    /// The value of a parameter; setting nil removes it.
    ///
    /// A bucket that was read and then changed loses its received bytes: it is another bucket.
    public subscript(label: COSELabel) -> CBOR? {
        get { parameters[label] }
        set { parameters[label] = newValue }
    }

    /// Returns `true` if a parameter is present.
    public func contains(_ label: COSELabel) -> Bool {
        parameters.contains(label)
    }

    /// The bytes of the map: as received, or encoded deterministically.
    public var encodedBytes: [UInt8] { parameters.encoded }

    /// Writes the map: as received, or encoded deterministically.
    public func encode(to writer: inout CBORWriter) {
        parameters.encode(to: &writer)
    }

    /// Sets a parameter to an item that was read; its bytes are written as they are.
    mutating func set(_ view: CBORView, for label: COSELabel) {
        parameters.set(view, for: label)
    }

    /// The first label that occurs in another bucket too, or nil.
    func firstLabel(sharedWith other: COSEHeaderMap) -> COSELabel? {
        parameters.firstLabel(sharedWith: other.parameters)
    }
}

extension COSEHeaderMap: ExpressibleByDictionaryLiteral {
    /// A bucket of the given parameters; of a label that is given twice, the last value stays.
    public init(dictionaryLiteral elements: (COSELabel, CBOR)...) {
        self.init()
        for (label, value) in elements { self[label] = value }
    }
}

extension COSEHeaderMap: COSEHeaderParameters {
    /// The value of a parameter, or nil if it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    public func parameter(_ label: COSELabel) throws(COSEError) -> CBORView? {
        try parameters.view(label)
    }

    /// The algorithm (`alg`), or nil if it is absent.
    ///
    /// - Throws: ``COSEError/Code/unsupportedAlgorithm`` for a text identifier: none is registered.
    public func algorithm() throws(COSEError) -> COSEAlgorithm? {
        if let identifier = parameters.onlyInteger(.alg) { return COSEAlgorithm(rawValue: Int(identifier)) }
        return try parameter(.alg).map { (view) throws(COSEError) in try COSEAlgorithm(header: view) }
    }
}
