import CBORKit

/// A public EC2 or OKP key as most are: `kty`, `crv` and the coordinates in full, and nothing else.
///
/// It is the map as received, found to be right in one look at its heads.
struct PlainCurveKey: Sendable {
    private let map: CBORMapView
    /// The family: EC2 or OKP.
    let keyType: COSEKeyType
    private let curve: Int64

    /// Takes an item; nil if it is no such key, which may have other members, or be malformed.
    init?(_ view: CBORView) {
        guard let map = try? view.map(), map.hasUniqueKeys, (3...4).contains(map.count) else { return nil }
        var found = Found()
        guard map.allHeads(satisfy: { found.take($0, $1) }) else { return nil }
        switch (found.keyType, found.hasX, found.hasY) {
        case (2, true, true): keyType = .ec2
        case (1, true, false): keyType = .okp
        default: return nil
        }
        guard let curve = found.curve.flatMap({ Int64(exactly: $0) }) else { return nil }
        self.curve = curve
        self.map = map
    }

    /// The key as received.
    var encodedBytes: ArraySlice<UInt8> { map.view.encodedBytes }

    /// The numbers, taken out of the map at each call.
    var material: COSEKey.Material {
        let material = EllipticCurveMaterial(
            curve: .integer(curve),
            x: coordinate(-2),
            y: keyType == .ec2 ? coordinate(-3).map { .full($0) } : nil,
            privateKey: nil
        )
        return keyType == .ec2 ? .ec2(material) : .okp(material)
    }

    private func coordinate(_ label: Int) -> ArraySlice<UInt8>? {
        try? map.value(forKey: label)?.bytes()
    }

    /// The values found in the heads.
    private struct Found {
        var keyType: UInt64?
        var curve: UInt64?
        var hasX = false
        var hasY = false

        /// Takes a label with its value; returns `false` for a label that the key does not have, and for another kind
        /// of value.
        mutating func take(_ label: CBORHead, _ value: CBORHead) -> Bool {
            guard let argument = value.argument else { return false }
            switch (label.kind, label.argument, value.kind) {
            case (.unsigned, 1, .unsigned): keyType = argument
            case (.negative, 0, .unsigned): curve = argument
            case (.negative, 1, .byteString): hasX = true
            case (.negative, 2, .byteString): hasY = true
            default: return false
            }
            return true
        }
    }
}
