public import CryptoCore
public import JOSEKit
public import JSONKit
@_spi(Layers) import VerificationCore

/// The key and the algorithms for an encrypted response (section 8.3; JARM for drafts before 26).
public struct ResponseEncryption: Sendable {
    /// The verifier's key.
    public let key: JWK
    /// The key management algorithm.
    public let algorithm: JWEAlgorithm
    /// The content encryption.
    public let encryption: JWEEncryption

    /// Takes a key and algorithms, which are known to fit.
    init(key: JWK, algorithm: JWEAlgorithm, encryption: JWEEncryption) {
        self.key = key
        self.algorithm = algorithm
        self.encryption = encryption
    }

    /// Chooses the first key of the verifier's set that can be used, and the content encryption: the one that the wallet
    /// prefers if the verifier takes it, else the first of the verifier's that the wallet supports.
    ///
    /// Keys for signatures and those of unknown types, curves and algorithms are skipped; the order of the set counts.
    ///
    /// - Throws: ``OID4VPError/Code/encryptionImpossible``.
    public init(
        _ metadata: ClientMetadata?,
        version: OpenID4VPVersion,
        support: EncryptionSupport = .default,
        options: RequestReadingOptions = .strict,
        deviations: inout [Deviation]
    ) throws(OID4VPError) {
        func impossible(_ fault: MessageFault) -> OID4VPError {
            OID4VPError(.encryptionImpossible, fault, path: ["client_metadata"])
        }
        guard let metadata, let keys = metadata.keys?.keys else { throw impossible(.noEncryptionKey) }
        let isTolerated = metadata.hasOlderEncryptionAlone && options.tolerances.contains(.olderEncryption)
        let isOlder = version != .v1 || isTolerated
        guard !isOlder || metadata.olderAlgorithm != nil else { throw impossible(.noEncryptionAlgorithm) }
        // The default of JARM, where there is no list.
        let offered = isOlder ? [metadata.olderEncryption ?? .a128CBC_HS256] : metadata.encryptions
        let common = offered.filter(support.encryptions.contains)
        guard let encryption = common.first(where: { $0 == support.preferredEncryption }) ?? common.first else {
            throw impossible(.noCommonEncryption)
        }
        for key in keys where key.use == nil || key.use == .encryption {
            let named = key.algorithm.map(JWEAlgorithm.init(rawValue:))
            guard let algorithm = isOlder ? metadata.olderAlgorithm : named, named == nil || named == algorithm,
                support.algorithms.contains(algorithm), support.supports(curve: key.curve),
                (try? JWEEncryptionKey.jwk(key, algorithm, for: encryption)) != nil
            else { continue }
            if version == .v1, isOlder {
                try options.tolerate(.olderEncryption, at: ["client_metadata"], &deviations)
            }
            self.init(key: key, algorithm: algorithm, encryption: encryption)
            return
        }
        throw impossible(.noUsableKey)
    }
}

/// The algorithms that a wallet encrypts responses with.
public struct EncryptionSupport: Hashable, Sendable {
    /// The key management algorithms.
    public var algorithms: Set<JWEAlgorithm>
    /// The content encryptions.
    public var encryptions: Set<JWEEncryption>
    /// The curves of keys, by their names in JWKs; nil for all.
    public var curves: Set<ExactText>?
    /// The content encryption that is chosen wherever the verifier takes it; nil to follow the order of the verifier.
    public var preferredEncryption: JWEEncryption?

    /// Sets the algorithms.
    public init(
        algorithms: Set<JWEAlgorithm>,
        encryptions: Set<JWEEncryption>,
        curves: Set<ExactText>? = nil,
        preferredEncryption: JWEEncryption? = nil
    ) {
        self.algorithms = algorithms
        self.encryptions = encryptions
        self.curves = curves
        self.preferredEncryption = preferredEncryption
    }

    /// The algorithms that both of two support, with the preference of the first one that has any.
    public func intersection(_ other: EncryptionSupport) -> EncryptionSupport {
        EncryptionSupport(
            algorithms: algorithms.intersection(other.algorithms),
            encryptions: encryptions.intersection(other.encryptions),
            curves: curves.map { curves in other.curves.map { curves.intersection($0) } ?? curves } ?? other.curves,
            preferredEncryption: preferredEncryption ?? other.preferredEncryption
        )
    }

    /// Returns `true` for a curve that is supported, and for a key without one.
    func supports(curve: String?) -> Bool {
        guard let curve, let curves else { return true }
        return curves.contains(ExactText(curve))
    }

    /// ECDH-ES, directly and with AES key wrap, RSA-OAEP, and every content encryption of JWA.
    public static let `default` = EncryptionSupport(
        algorithms: [
            .ecdhES, .ecdhES_A128KW, .ecdhES_A192KW, .ecdhES_A256KW, .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512,
        ],
        encryptions: Set(JWEEncryption.all)
    )
}

extension ResponseEncryption {
    /// Encrypts the parameters of a response.
    ///
    /// - Parameters:
    ///   - parameters: `vp_token` and others, as JSON values.
    ///   - partyUInfo: The wallet's information for the key derivation (`apu`), for ECDH-ES only.
    ///   - partyVInfo: The verifier's information for the key derivation (`apv`), for ECDH-ES only.
    ///   - random: The source of randomness.
    /// - Returns: The JWE in the compact serialization.
    /// - Throws: ``OID4VPError/Code/encryptionImpossible``.
    public func encrypt(
        _ parameters: JSONObject,
        partyUInfo: [UInt8]? = nil,
        partyVInfo: [UInt8]? = nil,
        using random: some RandomSource = .system
    ) throws(OID4VPError) -> String {
        try encrypt(
            content: JSONValue.object(parameters).encoded(),
            partyUInfo: partyUInfo,
            partyVInfo: partyVInfo,
            using: random
        )
    }

    /// Encrypts a response that is signed (JARM, section 2.2).
    ///
    /// - Parameters:
    ///   - token: The signed response.
    ///   - partyUInfo: The wallet's information for the key derivation (`apu`), for ECDH-ES only.
    ///   - partyVInfo: The verifier's information for the key derivation (`apv`), for ECDH-ES only.
    ///   - random: The source of randomness.
    /// - Returns: The JWE in the compact serialization, with `cty` set to `JWT`.
    /// - Throws: ``OID4VPError/Code/encryptionImpossible``.
    public func encrypt(
        signed token: JWT,
        partyUInfo: [UInt8]? = nil,
        partyVInfo: [UInt8]? = nil,
        using random: some RandomSource = .system
    ) throws(OID4VPError) -> String {
        let content: String
        do throws(JOSEError) {
            content = try token.compactSerialization()
        } catch {
            throw OID4VPError(
                .encryptionImpossible,
                "the signed response cannot be written",
                path: error.path,
                cause: error.withoutPlace
            )
        }
        return try encrypt(
            content: Array(content.utf8),
            header: ["cty": "JWT"],
            partyUInfo: partyUInfo,
            partyVInfo: partyVInfo,
            using: random
        )
    }

    private func encrypt(
        content: [UInt8],
        header: JOSEHeader = [:],
        partyUInfo: [UInt8]?,
        partyVInfo: [UInt8]?,
        using random: some RandomSource
    ) throws(OID4VPError) -> String {
        do throws(JOSEError) {
            let key = try JWEEncryptionKey.jwk(
                key,
                algorithm,
                for: encryption,
                partyUInfo: partyUInfo,
                partyVInfo: partyVInfo
            )
            return try JWE.encrypt(content, to: key, with: encryption, header: header, using: random)
                .compactSerialization()
        } catch {
            throw OID4VPError(
                .encryptionImpossible,
                "the response cannot be encrypted",
                path: error.path,
                cause: error.withoutPlace
            )
        }
    }

    /// Indicates that the key derivation takes information about the parties.
    public var agreesOnKey: Bool {
        [.ecdhES, .ecdhES_A128KW, .ecdhES_A192KW, .ecdhES_A256KW].contains(algorithm)
    }
}
