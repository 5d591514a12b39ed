#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PrivateKey {
    /// A key on a Weierstrass curve from `ECPrivateKey` of SEC 1 in DER (RFC 5915).
    ///
    /// - Parameters:
    ///   - sec1: The structure. The scalar must have full width; a public key in it must be the scalar's.
    ///   - curve: The curve where the structure does not name it. Where both do, they must agree.
    /// - Throws: ``CryptoError`` with the code `invalidDER`, `unsupported`, `keyMismatch` if the curves differ,
    ///   `keyPairMismatch`, or as for the scalar itself.
    public init(sec1: some ContiguousBytes, curve: EllipticCurve? = nil) throws(CryptoError) {
        var der = sec1.copied()
        defer { wipe(&der) }
        try self.init(sec1: der[...], curve: curve)
    }

    init(sec1: ArraySlice<UInt8>, curve: EllipticCurve?) throws(CryptoError) {
        do throws(CryptoError) {
            var reader = DERReader(sec1)
            var key = try reader.readSequence()
            try reader.finish()
            guard try key.readSmallInteger() == 1 else { throw CryptoError(.invalidDER, "the version is not 1") }
            let scalar = try key.read(DERReader.Tag.octetString)
            let named = try Self.readCurve(&key)
            let publicKey = try Self.readPublicKey(&key)
            try key.finish()
            try self.init(curve: try Self.agreed(named, curve), scalar: scalar, publicPoint: publicKey)
        } catch {
            throw error.inside("ECPrivateKey")
        }
    }

    private init(
        curve: EllipticCurve,
        scalar: ArraySlice<UInt8>,
        publicPoint: ArraySlice<UInt8>?
    ) throws(CryptoError) {
        try self.init(curve: curve, secret: SecretBytes(scalar))
        guard let publicPoint else { return }
        guard try PublicKey(curve: curve, point: Array(publicPoint)) == publicKey else {
            throw CryptoError(.keyPairMismatch, "the public key is not the private key's")
        }
    }

    private static func readCurve(_ key: inout DERReader) throws(CryptoError) -> EllipticCurve? {
        guard let content = try key.readIfPresent(DERReader.Tag.context(0)) else { return nil }
        var parameters = DERReader(content)
        let curve = try KeyAlgorithmIdentifier.namedCurve(&parameters)
        try parameters.finish()
        return curve
    }

    private static func readPublicKey(_ key: inout DERReader) throws(CryptoError) -> ArraySlice<UInt8>? {
        guard let content = try key.readIfPresent(DERReader.Tag.context(1)) else { return nil }
        var wrapper = DERReader(content)
        let point = try wrapper.readBitString()
        try wrapper.finish()
        return point
    }

    private static func agreed(_ named: EllipticCurve?, _ given: EllipticCurve?) throws(CryptoError) -> EllipticCurve {
        guard let curve = named ?? given else {
            throw CryptoError(.invalidDER, "the structure does not name the curve, and none was given")
        }
        if let given, given != curve {
            throw CryptoError(.keyMismatch, "the key is on \(curve.name), not on \(given.name)")
        }
        return curve
    }

    /// `ECPrivateKey` of SEC 1 in DER, with curve and public key; nil for keys on other curves and for RSA.
    public var sec1: SecretBytes? { ecPrivateKey(namingCurve: true)?.encodedSecret }

    /// The structure; PKCS #8 names the curve outside it.
    func ecPrivateKey(namingCurve: Bool) -> DERValue? {
        guard let curve, curve.family == .weierstrass, let scalar = rawRepresentation else { return nil }
        var members: [DERValue] = [.integer(1), .secret(tag: DERReader.Tag.octetString, scalar)]
        if namingCurve {
            let name = DERValue.objectIdentifier(curve.encodedObjectIdentifier)
            members.append(.constructed(tag: DERReader.Tag.context(0), [name]))
        }
        members.append(.constructed(tag: DERReader.Tag.context(1), [.bitString(publicKey.encoded)]))
        return .sequence(members)
    }
}
