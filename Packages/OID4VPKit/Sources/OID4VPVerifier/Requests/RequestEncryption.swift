import CryptoCore
import JOSEKit
import JSONKit

/// The encryption of request objects to a wallet that has sent keys for it (section 5.10).
struct RequestEncryption {
    private let key: JWK
    private let algorithm: JWEAlgorithm
    private let encryption: JWEEncryption

    /// The content encryptions of verifiers, the preferred one first.
    private static let encryptions: [JWEEncryption] = [.a256GCM, .a128GCM, .a256CBC_HS512, .a128CBC_HS256]
    /// The key management algorithms of verifiers, the preferred one first.
    private static let algorithms: [JWEAlgorithm] = [
        .ecdhES, .ecdhES_A256KW, .ecdhES_A128KW, .rsaOAEP256, .rsaOAEP,
    ]

    /// Chooses a key and algorithms; nil if the wallet wants no encryption.
    ///
    /// The first key counts that can be used. Keys for signatures are skipped. A wallet without a list of content
    /// encryptions gets A128GCM, which 1.0 has as the default for responses.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidWalletMetadata`` if none of the keys or encryptions can be used: a
    ///   wallet that asks for encryption is sent nothing in the clear.
    init?(_ metadata: WalletMetadata) throws(OID4VPVerifierError) {
        let keys = (metadata.keys?.keys ?? []).filter(\.isForEncryption)
        guard !keys.isEmpty else { return nil }
        let offered = metadata.requestEncryptions ?? [.a128GCM]
        guard let encryption = Self.encryptions.first(where: offered.contains) else {
            throw Self.unsupported("the wallet knows no content encryption for requests that is supported")
        }
        let algorithms = metadata.requestEncryptionAlgorithms ?? Self.algorithms
        for key in keys {
            let named = key.algorithm.map { JWEAlgorithm(rawValue: $0) }
            let algorithm = Self.algorithms.first { algorithm in
                (named == nil || named == algorithm) && algorithms.contains(algorithm)
                    && (try? JWEEncryptionKey.jwk(key, algorithm, for: encryption)) != nil
            }
            guard let algorithm else { continue }
            self.key = key
            self.algorithm = algorithm
            self.encryption = encryption
            return
        }
        throw Self.unsupported("none of the wallet's keys for requests can be used")
    }

    /// Encrypts a signed request object (RFC 9101, section 4; RFC 7519, section 5.2).
    func encrypt(_ object: String, using random: some RandomSource) throws(OID4VPVerifierError) -> String {
        do throws(JOSEError) {
            let recipient = try JWEEncryptionKey.jwk(key, algorithm, for: encryption)
            return try JWE.encrypt(
                Array(object.utf8),
                to: recipient,
                with: encryption,
                header: ["cty": "JWT"],
                using: random
            ).compactSerialization()
        } catch {
            throw OID4VPVerifierError(
                .invalidWalletMetadata,
                "the request cannot be encrypted to the wallet",
                path: ["jwks"],
                cause: error
            )
        }
    }

    private static func unsupported(_ message: String) -> OID4VPVerifierError {
        OID4VPVerifierError(.invalidWalletMetadata, message, path: ["wallet_metadata", "jwks"])
    }
}

extension JWK {
    /// Returns `true` for a key that is not one for signatures, by its `use` or its `alg`.
    fileprivate var isForEncryption: Bool {
        guard use == nil else { return use == .encryption }
        return algorithm.map { !JWSAlgorithm(rawValue: $0).isSupported } ?? true
    }
}
