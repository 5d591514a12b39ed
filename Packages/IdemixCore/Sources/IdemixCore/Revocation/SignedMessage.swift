import CBORKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A message with an ECDSA signature (P-256, SHA-256) around it: the CBOR map `{"Msg": message, "Sig": signature}`.
enum SignedMessage {
    /// The largest size of a signed message in bytes; an accumulator of 4096 bits takes less than one thousand.
    static let maximumByteCount = 64 << 10

    /// Signs a message.
    static func sign(_ message: [UInt8], with key: PrivateKey) throws(IdemixError) -> [UInt8] {
        do {
            let signature = try key.signature(for: message, algorithm: .ecdsaSHA256, format: .der)
            var writer = CBORWriter()
            writer.beginMap(count: 2)
            writer.write(text: "Msg")
            writer.write(bytes: message)
            writer.write(text: "Sig")
            writer.write(bytes: signature)
            return writer.finish()
        } catch {
            throw IdemixError(.invalidKey, "the key cannot sign the message", cause: error)
        }
    }

    /// The message inside, not verified.
    static func message(in bytes: [UInt8]) throws(IdemixError) -> [UInt8] {
        try parts(of: bytes).message
    }

    /// The message inside, after its signature has been verified.
    static func verifiedMessage(in bytes: [UInt8], key: PublicKey) throws(IdemixError) -> [UInt8] {
        let (message, signature) = try parts(of: bytes)
        guard key.isValidSignature(signature, for: message, algorithm: .ecdsaSHA256, format: .der) else {
            throw IdemixError(.invalidSignedMessage, "the signature does not verify")
        }
        return message
    }

    private static func parts(of bytes: [UInt8]) throws(IdemixError) -> (message: [UInt8], signature: [UInt8]) {
        guard bytes.count <= maximumByteCount else {
            throw IdemixError(.limitExceeded, "a signed message of \(bytes.count) bytes, \(maximumByteCount) allowed")
        }
        do {
            let map = try CBORDocument(bytes).root.map()
            return (Array(try map.required("Msg").bytes()), Array(try map.required("Sig").bytes()))
        } catch {
            throw IdemixError(.invalidSignedMessage, "not a map of Msg and Sig", cause: error)
        }
    }
}
