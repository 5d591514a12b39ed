import CryptoCore
public import JSONKit

extension JWK {
    /// The public members as a JSON text: for a private key its public part, for a symmetric key only its attributes.
    public func encoded() -> [UInt8] { JSONValue.object((publicJWK ?? self).members).encoded() }

    /// All members, the private or symmetric part included.
    ///
    /// JSON texts and strings cannot be wiped: they should be short-lived, and go nowhere but into safe storage.
    public func membersWithSecrets() -> JSONObject {
        var all = members
        switch material {
        case .publicKey: break
        case .symmetric(let key): all["k"] = Self.text(key)
        case .privateKey(let key):
            if let scalar = key.rawRepresentation { all["d"] = Self.text(scalar) }
            guard let numbers = key.rsaComponents else { break }
            all["d"] = Self.text(numbers.privateExponent)
            let others = [numbers.prime1, numbers.prime2, numbers.exponent1, numbers.exponent2, numbers.coefficient]
            for (name, number) in zip(JWKMembers.chineseRemainder, others) { all[name] = Self.text(number) }
        }
        return all
    }

    private static func text(_ secret: SecretBytes) -> JSONValue {
        .string(Base64URL.encode(secret: secret))
    }
}

extension JWKAttributes {
    /// The members of a new key: its type, its numbers, and its attributes.
    func members(around numbers: [(String, JSONValue)]) -> JSONObject {
        var members = JSONObject([("kty", .string(keyType.rawValue))] + numbers)
        members["kid"] = keyID.map { .string($0) }
        members["use"] = use.map { .string($0.rawValue) }
        members["alg"] = algorithm.map { .string($0) }
        return members
    }
}

extension PublicKey {
    /// The type that JOSE has for the key.
    var jwkType: JWKType {
        get throws(JOSEError) {
            guard let curve else { return .rsa }
            let type: JWKType = self.type == .ec ? .ec : .okp
            guard EllipticCurve.registered(for: type).contains(curve) else {
                throw JOSEError(.unsupportedKey, "JOSE has no name for \(curve.name)", path: ["crv"])
            }
            return type
        }
    }

    /// The public numbers as members of a JWK, `kty` left out.
    var jwkMembers: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if let curve { members.append(("crv", .string(curve.name))) }
        let numbers = [("n", rsaModulus), ("e", rsaExponent), ("x", x ?? rawRepresentation), ("y", y)]
        for case (let name, let number?) in numbers { members.append((name, .string(Base64URL.encode(number)))) }
        return members
    }
}
