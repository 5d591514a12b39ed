import CryptoCore
import JSONKit

/// Reads the numbers of a key from its members (RFC 7518, section 6; RFC 8037, section 2).
struct JWKMaterialReader {
    let members: JSONObject

    func material(_ type: JWKType) throws(JOSEError) -> JWK.Material {
        switch type {
        case .ec, .okp: try curveKey(type)
        case .rsa: try rsaKey()
        case .oct: try symmetricKey()
        }
    }

    // MARK: Elliptic curves

    private func curveKey(_ type: JWKType) throws(JOSEError) -> JWK.Material {
        let curve = try curve(of: type)
        if !members.contains("d"), let point = point(on: curve, of: type) {
            return .publicKey(
                try engineKey("x") { () throws(CryptoError) in
                    try PublicKey(curve: curve, x963Representation: point)
                }
            )
        }
        let x = try bytes("x")
        let y = type == .ec ? try bytes("y") : nil
        let publicKey = try engineKey("x") { () throws(CryptoError) in
            guard let y else { return try PublicKey(curve: curve, rawRepresentation: x) }
            return try PublicKey(curve: curve, x: x, y: y)
        }
        guard members.contains("d") else { return .publicKey(publicKey) }
        let scalar = try secret("d")
        let privateKey = try engineKey("d") { () throws(CryptoError) in
            try PrivateKey(curve: curve, rawRepresentation: scalar)
        }
        guard privateKey.publicKey == publicKey else {
            throw JOSEError(.invalidKey, "the public part does not belong to the private one", path: ["d"])
        }
        return .privateKey(privateKey)
    }

    /// The uncompressed point; nil for a key that has none, and where a coordinate has to be read by itself, to say what is
    /// wrong with it.
    private func point(on curve: EllipticCurve, of type: JWKType) -> [UInt8]? {
        let size = curve.coordinateSize
        guard type == .ec, let x = members["x"]?.stringValue, let y = members["y"]?.stringValue,
            Base64URL.decodedCount(x.utf8.count) == size, Base64URL.decodedCount(y.utf8.count) == size
        else { return nil }
        var point = [UInt8](repeating: 0x04, count: 1 + 2 * size)
        guard Base64URL.decode(x, into: &point, at: 1), Base64URL.decode(y, into: &point, at: 1 + size) else {
            return nil
        }
        return point
    }

    private func curve(of type: JWKType) throws(JOSEError) -> EllipticCurve {
        guard let name = try members.text("crv") else { throw missing("crv") }
        guard let curve = EllipticCurve.registered(for: type).first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw JOSEError(.unsupportedKey, "a curve that \(type) keys are not implemented for", path: ["crv"])
        }
        return curve
    }

    // MARK: RSA

    private func rsaKey() throws(JOSEError) -> JWK.Material {
        let modulus = try number("n")
        let exponent = try number("e")
        let present = (["d", "oth"] + JWKMembers.chineseRemainder).filter(members.contains)
        guard !present.isEmpty else {
            let key = try engineKey("n") { () throws(CryptoError) in
                try PublicKey(rsaModulus: modulus, exponent: exponent)
            }
            return .publicKey(key)
        }
        guard !members.contains("oth") else {
            throw JOSEError(.unsupportedKey, "RSA keys with more than two primes are not implemented", path: ["oth"])
        }
        return .privateKey(try rsaPrivateKey(modulus, exponent, present: present))
    }

    private func rsaPrivateKey(
        _ modulus: [UInt8],
        _ exponent: [UInt8],
        present: [String]
    ) throws(JOSEError) -> PrivateKey {
        let privateExponent = try secret("d")
        guard present != ["d"] else {
            return try engineKey("d") { () throws(CryptoError) in
                try PrivateKey(rsaModulus: modulus, exponent: exponent, privateExponent: privateExponent)
            }
        }
        // A key with one of the other numbers has to have them all (RFC 7518, section 6.3.2).
        let components = RSAPrivateComponents(
            modulus: modulus,
            publicExponent: exponent,
            privateExponent: privateExponent,
            prime1: try secret("p"),
            prime2: try secret("q"),
            exponent1: try secret("dp"),
            exponent2: try secret("dq"),
            coefficient: try secret("qi")
        )
        return try engineKey("d") { () throws(CryptoError) in try PrivateKey(rsaComponents: components) }
    }

    // MARK: Symmetric keys

    private func symmetricKey() throws(JOSEError) -> JWK.Material {
        let key = try secret("k")
        try PublicKeyEncodings.refuse(key, at: "k")
        return .symmetric(key)
    }

    // MARK: Members

    private func bytes(_ name: String) throws(JOSEError) -> [UInt8] {
        guard let text = try members.text(name) else { throw missing(name) }
        return try within(name) { () throws(JOSEError) in try Base64URL.decode(text) }
    }

    private func secret(_ name: String) throws(JOSEError) -> SecretBytes {
        guard let text = try members.text(name) else { throw missing(name) }
        return try within(name) { () throws(JOSEError) in try Base64URL.decodeSecret(text) }
    }

    /// A number in as few bytes as it takes: Base64urlUInt (RFC 7518, section 2).
    private func number(_ name: String) throws(JOSEError) -> [UInt8] {
        let number = try bytes(name)
        guard let first = number.first, first != 0 else {
            throw JOSEError(.invalidKey, "\(name) is empty or has a leading zero byte", path: [name])
        }
        return number
    }

    private func missing(_ name: String) -> JOSEError {
        JOSEError(.invalidKey, "a key needs the member", path: [name])
    }

    /// Makes a key of the engine, and sorts out why it refused.
    private func engineKey<Key>(_ name: String, _ make: () throws(CryptoError) -> Key) throws(JOSEError) -> Key {
        do {
            return try make()
        } catch {
            let code: JOSEError.Code = error.code == .unsupported ? .unsupportedKey : .invalidKey
            throw JOSEError(code, error.message, path: [name], cause: error)
        }
    }
}

extension EllipticCurve {
    /// The curves that JOSE has names for.
    static func registered(for type: JWKType) -> [EllipticCurve] {
        switch type {
        case .ec: weierstrass
        case .okp: octetKeyPairs
        case .rsa, .oct: []
        }
    }

    private static let weierstrass: [EllipticCurve] = [.p256, .p384, .p521, .secp256k1]
    private static let octetKeyPairs: [EllipticCurve] = [.ed25519, .ed448, .x25519, .x448]
}
