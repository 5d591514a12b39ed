import CBORKit

/// The labels of COSE_Key's members (RFC 9052 section 7.1, RFC 9053 section 7, RFC 8230).
enum COSEKeyLabel {
    static let kty: COSELabel = 1
    static let kid: COSELabel = 2
    static let alg: COSELabel = 3
    static let keyOperations: COSELabel = 4
    static let baseIV: COSELabel = 5

    static let crv: COSELabel = -1
    static let x: COSELabel = -2
    static let y: COSELabel = -3
    static let d: COSELabel = -4

    static let k: COSELabel = -1

    static let n: COSELabel = -1
    static let e: COSELabel = -2
    static let rsaD: COSELabel = -3
    static let p: COSELabel = -4
    static let q: COSELabel = -5
    static let dP: COSELabel = -6
    static let dQ: COSELabel = -7
    static let qInverse: COSELabel = -8
    static let otherPrimes: COSELabel = -9
}

/// The members of a COSE_Key while it is read: a map whose labels are unique.
struct COSEKeyMembers {
    private let map: CBORMapView
    /// The labels present from -32 to 31, one bit for each.
    private let present: UInt64

    init(cbor view: CBORView) throws(COSEError) {
        map = try reading("map") { () throws(CBORError) in try view.map() }
        try map.requireLabels()
        present = map.smallIntegerKeys
    }

    func contains(_ label: COSELabel) -> Bool {
        guard case .integer(let label) = label, (-32..<32).contains(label) else { return map.contains(label) }
        return present & 1 << UInt64(label + 32) != 0
    }

    /// A member that may be missing.
    func optional<Value>(
        _ label: COSELabel,
        _ name: String,
        _ read: (CBORView) throws(CBORError) -> Value
    ) throws(COSEError) -> Value? {
        guard contains(label), let view = map.value(for: label) else { return nil }
        do {
            return try read(view)
        } catch {
            throw COSEError(.invalidKey, error.message, path: [name], cause: error)
        }
    }

    /// A required member.
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

    /// `alg`, or nil if it is missing.
    func algorithm() throws(COSEError) -> COSEAlgorithm? {
        guard let label = try optional(COSEKeyLabel.alg, "alg", Self.label) else { return nil }
        guard case .integer(let value) = label, let identifier = Int(exactly: value) else {
            throw COSEError(.unsupportedAlgorithm, "\(label) is no registered identifier", path: ["alg"])
        }
        return COSEAlgorithm(rawValue: identifier)
    }

    /// `key_ops`, or nil if it is missing.
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

extension CBORMapView {
    /// The integer keys present from -32 to 31, one bit for each from the lowest.
    fileprivate var smallIntegerKeys: UInt64 {
        var keys: UInt64 = 0
        _ = allHeads { key, _ in
            if let argument = key.argument, argument < 32 {
                if key.kind == .unsigned { keys |= 1 << (32 + argument) }
                if key.kind == .negative { keys |= 1 << (31 - argument) }
            }
            return true
        }
        return keys
    }
}
