import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The common operations of P256, P384 and P521 of swift-crypto, which has no public protocol for them.
protocol SwiftCryptoCurve {
    associatedtype VerifyingKey: SwiftCryptoVerifyingKey
    associatedtype SigningKey: SwiftCryptoSigningKey
    associatedtype AgreementKey: SwiftCryptoAgreementKey
}

/// A public key of swift-crypto for ECDSA.
protocol SwiftCryptoVerifyingKey: ECDSAVerifier {
    init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws
    init<Bytes: ContiguousBytes>(compressedRepresentation: Bytes) throws
    var x963Representation: Data { get }
}

/// A private key of swift-crypto for ECDSA.
protocol SwiftCryptoSigningKey: Sendable {
    init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws
    var x963PublicKey: Data { get }
    func rawSignature(for digest: PrehashedDigest) throws -> Data
}

/// A private key of swift-crypto for ECDH.
protocol SwiftCryptoAgreementKey: Sendable {
    init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws
    func sharedSecret(withX963 publicKey: [UInt8]) throws -> SharedSecret
}

extension P256: SwiftCryptoCurve {
    typealias VerifyingKey = Signing.PublicKey
    typealias SigningKey = Signing.PrivateKey
    typealias AgreementKey = KeyAgreement.PrivateKey
}

extension P384: SwiftCryptoCurve {
    typealias VerifyingKey = Signing.PublicKey
    typealias SigningKey = Signing.PrivateKey
    typealias AgreementKey = KeyAgreement.PrivateKey
}

extension P256.Signing.PublicKey: SwiftCryptoVerifyingKey {
    func isValid(rawSignature: UnsafeRawBufferPointer, digest: UnsafeRawBufferPointer) -> Bool {
        guard let signature = try? unsafe P256.Signing.ECDSASignature(rawRepresentation: rawSignature) else {
            return false
        }
        return isValidSignature(signature, for: unsafe PrehashedDigest(digest))
    }
}

extension P384.Signing.PublicKey: SwiftCryptoVerifyingKey {
    func isValid(rawSignature: UnsafeRawBufferPointer, digest: UnsafeRawBufferPointer) -> Bool {
        guard let signature = try? unsafe P384.Signing.ECDSASignature(rawRepresentation: rawSignature) else {
            return false
        }
        return isValidSignature(signature, for: unsafe PrehashedDigest(digest))
    }
}

extension P256.Signing.PrivateKey: SwiftCryptoSigningKey {
    var x963PublicKey: Data { publicKey.x963Representation }

    func rawSignature(for digest: PrehashedDigest) throws -> Data {
        try signature(for: digest).rawRepresentation
    }
}

extension P384.Signing.PrivateKey: SwiftCryptoSigningKey {
    var x963PublicKey: Data { publicKey.x963Representation }

    func rawSignature(for digest: PrehashedDigest) throws -> Data {
        try signature(for: digest).rawRepresentation
    }
}

extension P256.KeyAgreement.PrivateKey: SwiftCryptoAgreementKey {
    func sharedSecret(withX963 publicKey: [UInt8]) throws -> SharedSecret {
        try sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: publicKey))
    }
}

extension P384.KeyAgreement.PrivateKey: SwiftCryptoAgreementKey {
    func sharedSecret(withX963 publicKey: [UInt8]) throws -> SharedSecret {
        try sharedSecretFromKeyAgreement(with: P384.KeyAgreement.PublicKey(x963Representation: publicKey))
    }
}
