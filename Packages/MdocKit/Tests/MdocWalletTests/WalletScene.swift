import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocWallet

/// An issuer that gives a wallet copies of a licence, and a reader that asks for it.
struct WalletScene: Sendable {
    /// The moment of the scene.
    static let now = Date(timeIntervalSince1970: 1_780_000_000)
    /// A day in seconds.
    static let day: TimeInterval = 86_400

    /// The issuer's certificates and keys.
    let pki: MdocTestPKI
    /// The verifier that trusts the issuer.
    let verifier: MdocVerifier
    /// The transcript of a session.
    let transcript: SessionTranscript

    /// Makes the issuer.
    init() async throws {
        pki = try await MdocTestPKI.make(at: Self.now)
        verifier = MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { Self.now })
        transcript = SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(origin: "https://reader.example", nonce: "n", jwkThumbprint: nil)
        )
    }

    /// Issues copies, each for a key of its own whose handle is the private key.
    ///
    /// - Parameters:
    ///   - count: The number of copies.
    ///   - docType: The type of the document.
    ///   - days: The validity in days from ``now`` on.
    ///   - update: The days from ``now`` on until the issuer expects to issue them again; nil if it does not say.
    func copies(
        _ count: Int,
        of docType: DocType = .mDL,
        days: Double = 30,
        update: Double? = nil
    ) async throws -> [NewMdocCopy] {
        var copies: [NewMdocCopy] = []
        for _ in 0..<count {
            let key = try PrivateKey.generate(.p256)
            let verified = try verifier.verifyForStorage(try await licence(for: key, docType, days, update)).get()
            copies.append(try NewMdocCopy(verified, deviceKey: key.publicKey, keyHandle: key.pkcs8))
        }
        return copies
    }

    /// Issues one document.
    func licence(
        for key: PrivateKey,
        _ docType: DocType = .mDL,
        _ days: Double = 30,
        _ update: Double? = nil
    ) async throws -> IssuerSigned {
        let validity = ValidityInfo(
            signed: Self.now - Self.day,
            validFrom: Self.now - Self.day,
            validUntil: Self.now + days * Self.day,
            expectedUpdate: update.map { Self.now + $0 * Self.day }
        )
        var builder = IssuerSignedBuilder(docType: docType, deviceKey: key.publicKey, validityInfo: validity)
        try builder.add("Doe", as: "family_name", in: .mDL)
        try builder.add("Jane", as: "given_name", in: .mDL)
        try builder.add("UT", as: "issuing_country", in: .mDL)
        return try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
    }

    /// A request for the family name.
    func request() throws -> DeviceRequest { try Self.familyNameRequest() }

    /// A request for the family name of a licence.
    static func familyNameRequest() throws -> DeviceRequest {
        let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        return try DeviceRequest(docRequests: [DocRequest(items)])
    }

    /// Presents the family name from a store.
    ///
    /// - Returns: The response; nil if the store offers nothing.
    func present(from store: MdocCredentialStore, at time: Date = now) async throws -> DeviceResponse? {
        let match = try await store.match(try request(), at: time)
        let decision = match.fullConsent()
        guard !decision.entries.isEmpty else { return nil }
        return try await store.response(
            to: match,
            decision: decision,
            sessionTranscript: transcript,
            at: time
        ) { _, handle in
            .signer(try SoftwareSigner(try Self.key(handle)))
        }
    }

    /// The private key of a handle.
    static func key(_ handle: SecretBytes) throws -> PrivateKey {
        try PrivateKey(pkcs8: handle)
    }
}
