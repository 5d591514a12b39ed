import CryptoCore
import JOSEKit
import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of the POST by which a wallet fetches a request object (section 5.10).
public struct RequestURIPost: Sendable {
    /// The metadata of the wallet; nil for none.
    public let metadata: WalletMetadata?
    /// The value that the request object repeats; nil for none.
    public let walletNonce: String?

    /// The length of a nonce in bytes that is repeated.
    static let maximumNonceLength = 512

    /// Reads the body of the POST.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidWalletMetadata``, ``OID4VPVerifierError/Code/limitExceeded``.
    public init(form text: some StringProtocol, limits: RequestLimits = .default) throws(OID4VPVerifierError) {
        guard (text.utf8.count + 1) / 2 <= limits.documentSize else {
            throw OID4VPVerifierError(.limitExceeded, "the form is too long")
        }
        do throws(OID4VPError) {
            let form = try FormParameters(decoding: text)
            func value(_ name: String) -> String? {
                form.presentBytes(name).map { String(decoding: $0, as: UTF8.self) }
            }
            metadata = try value("wallet_metadata").map { json throws(OID4VPError) in
                try WalletMetadata(parsing: json, limits: limits)
            }
            walletNonce = value("wallet_nonce")
        } catch {
            throw OID4VPVerifierError(
                .invalidWalletMetadata,
                "the form cannot be read",
                path: error.path,
                cause: error.withoutPlace
            )
        }
        guard (walletNonce?.utf8.count ?? 0) <= Self.maximumNonceLength else {
            throw OID4VPVerifierError(.invalidWalletMetadata, "it is too long", path: ["wallet_nonce"])
        }
    }
}

extension RequestBuilder {
    /// The header of the request object, with the name of the algorithm that the wallet lists: there may be two for one.
    func objectHeader(
        of signer: any Signer,
        for wallet: WalletMetadata?,
        at time: Date
    ) async throws(OID4VPVerifierError) -> JOSEHeader {
        var header = try await party.client.joseHeader(Self.objectType, at: time)
        let listed = (wallet?.requestAlgorithms ?? []).filter { $0.names(signer) }
        let own = JWSAlgorithm(signer.algorithm, for: signer.publicKey)
        if let first = listed.first, !listed.contains(where: { $0 == own }) { header["alg"] = .string(first.rawValue) }
        return header
    }

    /// Refuses a wallet that cannot answer, and leaves unsupported parts out of the request.
    func honor(
        _ metadata: WalletMetadata,
        of signer: any Signer,
        _ request: CreatedRequest,
        in claims: inout JSONObject
    ) throws(OID4VPVerifierError) {
        func unsupported(_ message: String) -> OID4VPVerifierError {
            OID4VPVerifierError(.invalidWalletMetadata, message, path: ["wallet_metadata"])
        }
        guard metadata.clientRules?.contains(party.client.rule) != false else {
            throw unsupported("the wallet does not know this kind of client identifier")
        }
        if let algorithms = metadata.requestAlgorithms {
            guard algorithms.contains(where: { $0.names(signer) }) else {
                throw unsupported("the wallet does not know the algorithm of the request")
            }
        }
        if let modes = metadata.responseModes, !modes.contains(request.expectation.mode) {
            throw unsupported("the wallet does not know the response mode")
        }
        let formats = Set(metadata.formats.keys.map(\.credential))
        let name = request.expectation.version == .v1 ? "vp_formats_supported" : "vp_formats"
        if let offered = claims["client_metadata"]?[name]?.objectValue {
            guard offered.names.contains(where: { formats.contains(CredentialFormat($0).credential) }) else {
                throw unsupported("the wallet knows none of the formats")
            }
        }
        guard let decryption = request.expectation.decryption else { return }
        if let algorithms = metadata.encryptionAlgorithms, !algorithms.contains(decryption.algorithm) {
            throw unsupported("the wallet does not know the algorithm for the response")
        }
        guard let supported = metadata.encryptions else { return }
        guard decryption.encryptions.contains(where: supported.contains) else {
            throw unsupported("the wallet does not know an encryption for the response")
        }
        guard var members = claims["client_metadata"]?.objectValue, request.expectation.version == .v1 else { return }
        // Those that the profile demands of each verifier are listed whatever the wallet supports.
        let demanded = party.profile?.verifierEncryptions ?? []
        let listed = decryption.encryptions.filter { supported.contains($0) || demanded.contains($0) }
        members["encrypted_response_enc_values_supported"] = .array(listed.map { .string($0.rawValue) })
        claims["client_metadata"] = .object(members)
    }
}

extension JWSAlgorithm {
    /// Returns `true` for a name of the algorithm that a signer has.
    fileprivate func names(_ signer: any Signer) -> Bool {
        signatureAlgorithm(for: signer.publicKey) == signer.algorithm
    }
}
