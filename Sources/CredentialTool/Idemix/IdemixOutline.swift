import CryptoCore
import Foundation
import IdemixCore

/// Outlines of keys and attributes.
enum IdemixOutline {
    /// A public key without its long numbers.
    static func outline(_ key: IssuerPublicKey) -> Outline {
        .fields([
            "counter": .text("\(key.counter)"),
            "expires": .text(key.expiryDate.utcText),
            "modulus": .text("\(key.parameters.modulus) bits"),
            "SHA-256 of the modulus": .text(fingerprint(key.elements.n)),
            "bases": .number(key.elements.R.count),
            "attributes at most": .number(key.attributeCapacity),
            "revocation": .flag(key.supportsRevocation),
        ])
    }

    /// A private key: which one it is and whether it is sound, none of its numbers.
    static func privateKey(_ bytes: [UInt8]) throws -> Outline {
        let key = try IssuerPrivateKey(xml: bytes, validation: .arithmetic)
        let (p, q) = key.factors
        let isSound = (try? IssuerPrivateKey(xml: bytes, validation: .safePrimes)) != nil
        return .fields([
            "counter": .text("\(key.counter)"),
            "expires": .text(key.expiryDate.utcText),
            "modulus": .text("\((p * q).bitCount) bits"),
            "SHA-256 of the modulus": .text(fingerprint(p * q)),
            "safe primes": .flag(isSound),
            "revocation key": .flag(key.revocationKey != nil),
        ])
    }

    /// What the metadata attribute says.
    static func outline(_ metadata: MetadataAttribute) -> Outline {
        .fields([
            "version": .number(metadata.encoding.rawValue),
            "signed": .text(metadata.signingDate.utcText),
            "expires": .text(metadata.expiryDate.utcText),
            "key counter": .number(Int(metadata.keyCounter)),
            "credential type": .text("SHA-256 begins with \(metadata.credentialTypeHash.hexText)"),
        ])
    }

    /// An attribute as text; what is no text is shown as the integer's hexadecimal digits.
    static func attribute(_ integer: BigInteger, _ encoding: AttributeEncoding) -> Outline {
        guard encoding.bytes(of: integer) != nil else { return "absent" }
        guard let text = try? encoding.text(of: integer) else { return .text("h'\(integer.bytes.hexText)'") }
        return .text("\"\(text)\"")
    }

    private static func fingerprint(_ n: BigInteger) -> String {
        HashAlgorithm.sha256.digest(of: n.bytes).hexText
    }
}
