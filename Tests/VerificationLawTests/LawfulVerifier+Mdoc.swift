import CredentialTesting
import Credentials
import Foundation

extension LawfulVerifier {
    /// Documents, credentials by themselves, and readers.
    static func mdocs(_ pki: MdocTestPKI) async throws -> [LawfulVerifier] {
        let deviceKey = try PrivateKey.generate(.p256)
        let validity = ValidityInfo(signed: time, validFrom: time, validUntil: time + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
        try builder.add("Doe", as: "family_name", in: .mDL)
        builder.status = MobileSecurityObject.Status(statusList: .init(index: 1, uri: "https://issuer.example/1"))
        let credential = try await builder.sign(
            with: SoftwareSigner(pki.documentSignerKey),
            x5chain: [pki.documentSigner]
        )
        let transcript = SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(origin: "https://rp.example", nonce: "n", jwkThumbprint: nil)
        )
        let document = try await PreparedMdocDocument(credential, sessionTranscript: transcript)
            .signed(with: SoftwareSigner(deviceKey))
        let response = try DeviceResponse(documents: [document])
        var policy = MdocVerificationPolicy()
        policy.requiresSignerRevocationStatus = true
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(pki.iaca.certificate)],
            policy: policy,
            statusChecker: AlwaysValid(),
            signerRevocationChecker: AlwaysValid(),
            chainCache: nil,
            clock: { time }
        )
        let stored = try verifier.verifyForStorage(credential).get()
        return [
            LawfulVerifier("response", MdocVerifier.responseChecks) {
                await verifier.verify(response, sessionTranscript: transcript)
            },
            LawfulVerifier("document", MdocVerifier.documentChecks) {
                await verifier.verify(response, sessionTranscript: transcript)
            },
            LawfulVerifier("issuer-signed", MdocVerifier.issuerSignedChecks) { await verifier.verify(credential) },
            LawfulVerifier("issuer-signed for storage", MdocVerifier.issuerSignedChecks) {
                verifier.verifyForStorage(credential)
            },
            LawfulVerifier("revocation of a stored credential", [.signerRevocation, .status]) {
                await verifier.verifyRevocation(of: stored)
            },
            try await reader(pki, transcript),
        ]
    }

    private static func reader(_ pki: MdocTestPKI, _ transcript: SessionTranscript) async throws -> LawfulVerifier {
        let docRequest = try await DocRequest.signed(
            ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]]),
            sessionTranscript: transcript,
            with: SoftwareSigner(pki.readerKey),
            x5chain: [pki.reader]
        )
        let request = try DeviceRequest(docRequests: [docRequest])
        let verifier = ReaderAuthenticationVerifier(
            trustAnchors: [pki.readerAuthority.certificate],
            clock: { time }
        )
        return LawfulVerifier("reader", ReaderAuthenticationVerifier.checks) {
            let verification = verifier.verify(request, sessionTranscript: transcript).docRequests[0]
            guard let verification else { throw NoAnswer() }
            return verification
        }
    }

    /// Lists of trusted authorities.
    static func trustLists(_ pki: MdocTestPKI) async throws -> [LawfulVerifier] {
        let key = try PrivateKey.generate(.p256)
        let subject = try DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "lists")
        let validity = time...time + 86_400
        let vicalSigner = try await pki.iaca.issueVICALSigner(
            subject: subject,
            publicKey: key.publicKey,
            validity: validity,
            revocationListURI: "https://utopia.example/vical.crl"
        )
        var vicalBuilder = VICALBuilder(provider: "Utopia", date: time)
        try vicalBuilder.add(pki.iaca.certificate, docTypes: [.mDL])
        let vical = try await vicalBuilder.sign(with: SoftwareSigner(key), x5chain: [vicalSigner])
        let ricalSigner = try await pki.iaca.issueRICALSigner(
            subject: subject,
            publicKey: key.publicKey,
            validity: validity,
            revocationListURI: "https://utopia.example/rical.crl"
        )
        var ricalBuilder = RICALBuilder(provider: "Utopia", date: time)
        try ricalBuilder.add(pki.readerAuthority.certificate, name: "Readers of Utopia")
        let rical = try await ricalBuilder.sign(with: SoftwareSigner(key), x5chain: [ricalSigner])
        return [
            LawfulVerifier("VICAL", VICAL.checks) { vical.verify(anchors: [pki.iaca.certificate], at: time) },
            LawfulVerifier("RICAL", RICAL.checks) { rical.verify(anchors: [pki.iaca.certificate], at: time) },
        ]
    }
}

struct NoAnswer: Error {}

/// Finds every credential and every signer valid.
private struct AlwaysValid: MdocStatusChecking, SignerRevocationChecking {
    func status(
        named _: MobileSecurityObject.Status,
        of _: ValidatedCertificateChain,
        at time: Date
    ) async -> StatusFinding {
        .valid(asOf: time)
    }

    func status(of _: ValidatedCertificateChain, at time: Date) async -> CredentialStatus { .valid(asOf: time) }
}
