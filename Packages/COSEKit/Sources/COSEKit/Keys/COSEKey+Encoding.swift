import CBORKit
import CryptoCore

extension COSEKey.Parts {
    /// The key in deterministic CBOR (RFC 8949 section 4.2.1).
    var encoded: [UInt8] {
        var map = LabelMap()
        map[COSEKeyLabel.kty] = keyType.rawValue.cbor
        map[COSEKeyLabel.kid] = keyID.map { .bytes([UInt8]($0)) }
        map[COSEKeyLabel.alg] = algorithm?.cbor
        map[COSEKeyLabel.keyOperations] = keyOperations.map { operations in
            .array(operations.map(\.rawValue.cbor).sorted { $0.encoded().lexicographicallyPrecedes($1.encoded()) })
        }
        map[COSEKeyLabel.baseIV] = baseIV.map { .bytes([UInt8]($0)) }
        material.write(to: &map)
        return map.encoded
    }
}

extension COSEKey.Material {
    /// Adds the members that hold the numbers.
    fileprivate func write(to map: inout LabelMap) {
        switch self {
        case .ec2(let material), .okp(let material): material.write(to: &map)
        case .rsa(let material): material.write(to: &map)
        case .symmetric(let key): map[COSEKeyLabel.k] = .bytes(key)
        case .unknown: break
        }
    }
}

extension EllipticCurveMaterial {
    fileprivate func write(to map: inout LabelMap) {
        map[COSEKeyLabel.crv] = curve.cbor
        map[COSEKeyLabel.x] = x.map { .bytes([UInt8]($0)) }
        map[COSEKeyLabel.y] = y?.cbor
        map[COSEKeyLabel.d] = privateKey.map { .bytes($0) }
    }
}

extension EllipticCurveMaterial.YCoordinate {
    fileprivate var cbor: CBOR {
        switch self {
        case .full(let bytes): .bytes([UInt8](bytes))
        case .isOdd(let isOdd): .bool(isOdd)
        }
    }
}

extension RSAMaterial {
    fileprivate func write(to map: inout LabelMap) {
        map[COSEKeyLabel.n] = .bytes(modulus)
        map[COSEKeyLabel.e] = .bytes(publicExponent)
        guard let numbers = privateNumbers else { return }
        map[COSEKeyLabel.rsaD] = .bytes(numbers.privateExponent)
        map[COSEKeyLabel.p] = .bytes(numbers.prime1)
        map[COSEKeyLabel.q] = .bytes(numbers.prime2)
        map[COSEKeyLabel.dP] = .bytes(numbers.exponent1)
        map[COSEKeyLabel.dQ] = .bytes(numbers.exponent2)
        map[COSEKeyLabel.qInverse] = .bytes(numbers.coefficient)
    }
}

extension CBOR {
    /// The byte string of secret bytes, on its way into an encoding that holds them.
    fileprivate static func bytes(_ secret: SecretBytes) -> CBOR {
        .bytes(secret.withUnsafeBytes { [UInt8]($0) })
    }
}

extension COSEAlgorithm {
    /// The identifier as a CBOR value.
    var cbor: CBOR { .integer(rawValue) }
}
