/// The `AlgorithmIdentifier` of a key (RFC 5480, 2.1; RFC 8410, 3; RFC 8017, A.1).
enum KeyAlgorithmIdentifier: Equatable {
    /// `id-ecPublicKey` with a named curve.
    case ellipticCurve(EllipticCurve)
    /// `id-X25519` and its like, without parameters.
    case octetKeyPair(EllipticCurve)
    /// `rsaEncryption` with NULL.
    case rsa
    /// `id-RSASSA-PSS`, with or without parameters (RFC 4055, 1.2).
    case rsaPSS(RSAKeyRestriction)

    /// Reads the next element of a structure.
    init(from reader: inout DERReader) throws(CryptoError) {
        do throws(CryptoError) {
            let encoded = try reader.readElement()
            var outer = DERReader(encoded)
            var identifier = try outer.readSequence()
            let algorithm = try identifier.read(DERReader.Tag.objectIdentifier)
            if algorithm.elementsEqual(ObjectIdentifiers.rsaPSS) {
                self = .rsaPSS(try RSAKeyRestriction(identifier: encoded))
                return
            }
            self = try Self.read(algorithm, &identifier)
            try identifier.finish()
        } catch {
            throw error.inside("algorithm")
        }
    }

    private static func read(
        _ algorithm: ArraySlice<UInt8>,
        _ identifier: inout DERReader
    ) throws(CryptoError) -> KeyAlgorithmIdentifier {
        if algorithm.elementsEqual(ObjectIdentifiers.ecPublicKey) {
            return .ellipticCurve(try namedCurve(&identifier))
        }
        if algorithm.elementsEqual(ObjectIdentifiers.rsaEncryption) {
            guard try identifier.read(DERReader.Tag.null).isEmpty else {
                throw CryptoError(.invalidDER, "a NULL has content")
            }
            return .rsa
        }
        guard let curve = EllipticCurve(encodedObjectIdentifier: algorithm), curve.family != .weierstrass else {
            throw CryptoError(.unsupported, "the key algorithm is not known")
        }
        return .octetKeyPair(curve)
    }

    static func namedCurve(_ identifier: inout DERReader) throws(CryptoError) -> EllipticCurve {
        guard identifier.nextTag != DERReader.Tag.sequence else {
            throw CryptoError(.unsupported, "the curve has explicit parameters instead of a name")
        }
        let name = try identifier.read(DERReader.Tag.objectIdentifier)
        guard let curve = EllipticCurve(encodedObjectIdentifier: name), curve.family == .weierstrass else {
            throw CryptoError(.unsupported, "the named curve is not known")
        }
        return curve
    }

    /// The structure to be written.
    var derValue: DERValue {
        switch self {
        case .ellipticCurve(let curve):
            .sequence([
                .objectIdentifier(ObjectIdentifiers.ecPublicKey), .objectIdentifier(curve.encodedObjectIdentifier),
            ])
        case .octetKeyPair(let curve): .sequence([.objectIdentifier(curve.encodedObjectIdentifier)])
        case .rsa: .sequence([.objectIdentifier(ObjectIdentifiers.rsaEncryption), .null])
        case .rsaPSS(let restriction): .encoded(restriction.identifier)
        }
    }
}
