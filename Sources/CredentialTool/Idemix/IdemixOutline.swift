import CommandSupport
import CryptoCore
import Foundation
import IdemixCore

/// Outlines of keys, attributes and accumulators.
enum IdemixOutline {
    /// A public key without its long numbers.
    static func outline(_ key: IdemixIssuerPublicKey) -> Outline {
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

    /// A private key: its identity and soundness, and none of its numbers.
    static func privateKey(_ bytes: [UInt8]) throws -> Outline {
        let key = try IdemixIssuerPrivateKey(xml: bytes, validation: .arithmetic)
        let (p, q) = key.factors
        return .fields([
            "counter": .text("\(key.counter)"),
            "expires": .text(key.expiryDate.utcText),
            "modulus": .text("\((p * q).bitCount) bits"),
            "SHA-256 of the modulus": .text(fingerprint(p * q)),
            "safe primes": soundness(of: bytes),
            "revocation key": .flag(key.revocationKey != nil),
        ])
    }

    /// The outcome of the check that a key's primes are safe primes.
    private static func soundness(of key: [UInt8]) -> Outline {
        do {
            _ = try IdemixIssuerPrivateKey(xml: key, validation: .safePrimes)
            return .flag(true)
        } catch {
            return .text("no: \(error)")
        }
    }

    /// The disclosed metadata attribute, and the encoding of the other attributes.
    struct Metadata {
        /// The content of the attribute, or the reason that it cannot be read; nil for a missing one.
        let outline: Outline?
        /// The encoding of the other attributes; the current one if the attribute does not tell.
        let encoding: AttributeEncoding

        init(_ integer: BigInteger?) {
            guard let integer else {
                (outline, encoding) = (nil, .version3)
                return
            }
            do {
                let metadata = try MetadataAttribute(integer: integer)
                (outline, encoding) = (IdemixOutline.outline(metadata), metadata.encoding)
            } catch {
                (outline, encoding) = (.text("not readable: \(error)"), .version3)
            }
        }
    }

    private static func outline(_ metadata: MetadataAttribute) -> Outline {
        .fields([
            "version": .number(metadata.encoding.rawValue),
            "signed": .text(metadata.signingDate.utcText),
            "expires": .text(metadata.expiryDate.utcText),
            "key counter": .number(Int(metadata.keyCounter)),
            "credential type": .text("SHA-256 begins with \(metadata.credentialTypeHash.hexText)"),
        ])
    }

    /// The content of a signed accumulator, not verified.
    static func outline(_ signed: SignedAccumulator) throws -> Outline {
        let accumulator = try signed.unverifiedAccumulator()
        return .fields([
            "index": .text("\(accumulator.index)"),
            "signed at": .text(accumulator.date.utcText),
            "key counter": .text("\(signed.keyCounter)"),
        ])
    }

    /// An attribute as text; other integers are shown in hexadecimal digits.
    static func attribute(_ integer: BigInteger, _ encoding: AttributeEncoding) -> Outline {
        guard !integer.isZero else { return "absent" }
        guard let bytes = encoding.bytes(of: integer), let text = String(validating: bytes, as: UTF8.self) else {
            return .text("h'\(integer.bytes.hexText)'")
        }
        return .verbatim("\"\(text)\"")
    }

    private static func fingerprint(_ n: BigInteger) -> String {
        HashAlgorithm.sha256.digest(of: n.bytes).hexText
    }
}
