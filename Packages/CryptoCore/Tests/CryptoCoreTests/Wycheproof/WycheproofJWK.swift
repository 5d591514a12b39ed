import CryptoCore
import Foundation

/// A JSON Web Key as Wycheproof's key agreement files have them; only as much of JOSE as these tests need.
struct WycheproofJWK: Decodable {
    let kty: String?
    let crv: String?
    let x: String?
    let y: String?
    let d: String?

    func publicKey() throws -> PublicKey {
        let curve = try curve()
        guard curve.family == .weierstrass else {
            return try PublicKey(curve: curve, rawRepresentation: Self.decode(x))
        }
        return try PublicKey(curve: curve, x: Self.decode(x), y: Self.decode(y))
    }

    func privateKey() throws -> PrivateKey {
        try PrivateKey(curve: curve(), rawRepresentation: Self.decode(d))
    }

    private func curve() throws -> EllipticCurve {
        guard let crv, let curve = try? EllipticCurve(wycheproofName: crv) else {
            throw CryptoError(.unsupported, "the curve \(crv ?? "(none)") is not known")
        }
        guard kty == (curve.family == .weierstrass ? "EC" : "OKP") else {
            throw CryptoError(.keyMismatch, "the key type \(kty ?? "(none)") does not go with \(curve.name)")
        }
        return curve
    }

    private static func decode(_ text: String?) throws -> [UInt8] {
        var base64 = (text ?? "").replacing("-", with: "+").replacing("_", with: "/")
        while !base64.count.isMultiple(of: 4) { base64 += "=" }
        guard let text, !text.isEmpty, let data = Data(base64Encoded: base64) else {
            throw CryptoError(.invalidParameter, "a member is missing or not base64url")
        }
        return [UInt8](data)
    }
}
