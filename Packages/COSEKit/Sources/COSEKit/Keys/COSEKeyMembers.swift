import CBORKit

/// The members of a COSE_Key while it is read: a map whose labels are unique.
struct COSEKeyMembers {
    private var values: [(label: COSELabel, view: CBORView)] = []

    init(cbor view: CBORView) throws(COSEError) {
        let map = try reading("map") { () throws(CBORError) in try view.map() }
        values.reserveCapacity(min(map.count, 16))
        for (key, value) in map { values.append((try COSELabel(cbor: key), value)) }
        if let label = COSELabel.firstRepeated(in: values, \.label) { throw .repeated(label) }
    }

    func contains(_ label: COSELabel) -> Bool {
        values.contains { $0.label == label }
    }

    /// A member that may be missing.
    func optional<Value>(
        _ label: COSELabel,
        _ name: String,
        _ read: (CBORView) throws(CBORError) -> Value
    ) throws(COSEError) -> Value? {
        guard let view = values.first(where: { $0.label == label })?.view else { return nil }
        do {
            return try read(view)
        } catch {
            throw COSEError(.invalidKey, error.message, path: [name], cause: error)
        }
    }

    /// A member that must be there.
    func required<Value>(
        _ label: COSELabel,
        _ name: String,
        _ read: (CBORView) throws(CBORError) -> Value
    ) throws(COSEError) -> Value {
        guard let value = try optional(label, name, read) else {
            throw COSEError(.invalidKey, "the member is missing", path: [name])
        }
        return value
    }

    /// A byte string that may be missing.
    func bytes(_ label: COSELabel, _ name: String) throws(COSEError) -> ArraySlice<UInt8>? {
        try optional(label, name, Self.bytes)
    }

    static func bytes(_ view: CBORView) throws(CBORError) -> ArraySlice<UInt8> {
        try view.bytes()
    }

    /// An identifier: an integer or a text.
    static func label(_ view: CBORView) throws(CBORError) -> COSELabel {
        view.kind == .textString ? .text(try view.text()) : .integer(try view.integer())
    }

    /// `alg`, or nil where it is missing.
    func algorithm() throws(COSEError) -> COSEAlgorithm? {
        guard let label = try optional(COSEKeyLabel.alg, "alg", Self.label) else { return nil }
        guard case .integer(let value) = label, let identifier = Int(exactly: value) else {
            throw COSEError(.unsupportedAlgorithm, "\(label) is no registered identifier", path: ["alg"])
        }
        return COSEAlgorithm(rawValue: identifier)
    }

    /// `key_ops`, or nil where it is missing.
    func keyOperations() throws(COSEError) -> Set<COSEKeyOperation>? {
        try optional(COSEKeyLabel.keyOperations, "key_ops") { view throws(CBORError) in
            var operations: Set<COSEKeyOperation> = []
            for element in try view.array() {
                operations.insert(COSEKeyOperation(rawValue: try Self.label(element)))
            }
            return operations
        }
    }
}
