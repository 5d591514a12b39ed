#if !OpenSSL
import Crypto
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// With libcrypto in the build, that is the engine for P-521: it is several times faster there.

extension P521: SwiftCryptoCurve {
    typealias VerifyingKey = Signing.PublicKey
    typealias SigningKey = Signing.PrivateKey
    typealias AgreementKey = KeyAgreement.PrivateKey
}

extension P521.Signing.PublicKey: SwiftCryptoVerifyingKey {
    func isValid(rawSignature: UnsafeRawBufferPointer, digest: UnsafeRawBufferPointer) -> Bool {
        guard let signature = try? unsafe P521.Signing.ECDSASignature(rawRepresentation: rawSignature) else {
            return false
        }
        return isValidSignature(signature, for: unsafe PrehashedDigest(digest))
    }
}

extension P521.Signing.PrivateKey: SwiftCryptoSigningKey {
    var x963PublicKey: Data { publicKey.x963Representation }

    func rawSignature(for digest: PrehashedDigest) throws -> Data {
        try signature(for: digest).rawRepresentation
    }
}

extension P521.KeyAgreement.PrivateKey: SwiftCryptoAgreementKey {
    func sharedSecret(withX963 publicKey: [UInt8]) throws -> SharedSecret {
        try sharedSecretFromKeyAgreement(with: P521.KeyAgreement.PublicKey(x963Representation: publicKey))
    }
}
#endif
