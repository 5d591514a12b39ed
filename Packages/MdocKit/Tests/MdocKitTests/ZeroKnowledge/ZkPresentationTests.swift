import CBORKit
import CryptoCore
import Foundation
import MdocKit
import Testing

/// A proof in place of a document, from the reader's request to its verdict.
@Suite struct ZkPresentationTests {
    private let utopia: Utopia
    private let stored: StoredMdoc

    init() async throws {
        utopia = try await Utopia()
        stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
    }

    private func request(isRequired: Bool = true, docType: DocType = .mDL) throws -> DeviceRequest {
        var info = DocRequestInfo()
        info.zkRequest = ZkRequest(
            systemSpecs: [
                .init(zkSystemID: "0", system: "other", params: [:]),
                .init(zkSystemID: "1", system: "toy", params: ["version": 1]),
            ],
            zkRequired: isRequired
        )
        let items = try ItemsRequest(
            docType: docType,
            nameSpaces: [.mDL: ["family_name": false, "age_over_18": false]],
            requestInfo: info
        )
        let request = try DeviceRequest(docRequests: [DocRequest(items)])
        return try DeviceRequest(decoding: [UInt8](request.encodedBytes))
    }

    private func respond(_ match: RequestMatch, _ consent: ConsentDecision? = nil) async throws -> DeviceResponse {
        let response = try await match.response(
            to: consent ?? match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now
        ) { _ in .signer(try SoftwareSigner(utopia.deviceKey)) }
        return try DeviceResponse(decoding: [UInt8](response.encodedBytes))
    }

    private func verify(
        _ document: ZkDocument,
        _ request: DeviceRequest,
        transcript: SessionTranscript? = nil,
        with verifier: MdocVerifier? = nil
    ) async -> Verification<VerifiedZkDocument> {
        await (verifier ?? utopia.verifier()).verify(
            document,
            answering: request.docRequests[0],
            sessionTranscript: transcript ?? utopia.transcript,
            proofVerifier: ToyProofSystem(utopia)
        )
    }

    @Test(arguments: [true, false])
    func fromTheRequestToTheVerdict(isRequired: Bool) async throws {
        let request = try request(isRequired: isRequired)
        let match = RequestMatch(request, in: [stored], at: Utopia.now, zkProver: ToyProofSystem(utopia))
        let candidate = try #require(match.docRequests[0].candidates.first)
        #expect(match.docRequests[0].obstacle == nil)
        #expect(candidate.zkSystem?.zkSystemID == "1")
        let consented = try match.documents(
            for: match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now
        )
        #expect(consented.map(\.zkSystem) == [candidate.zkSystem])
        let response = try await respond(match)
        #expect(response.documents.isEmpty && response.unreadableZkDocuments.isEmpty)
        let proof = try #require(response.zkDocuments.first)
        #expect(response.zkDocuments.count == 1)
        let verification = await verify(proof, request)
        let verified = try #require(verification.verified, "\(verification.checks)")
        #expect(verification.checks.map(\.check) == MdocVerifier.zkDocumentChecks)
        #expect(verified.docType == .mDL && verified.timestamp == ToyProofSystem.today)
        #expect(verified.elements.references.map(\.identifier) == ["family_name", "age_over_18"])
        #expect(verified.elements[.mDL, "family_name"]?.value == "Doe")
        #expect(verified.elements[.mDL, "family_name"]?.source == .issuer)
        #expect(verified.signer.leaf == utopia.documentSigner)
        #expect(verified.trustAnchor.certificate == utopia.iaca.certificate)
    }

    /// Without a prover for a system of the request: nothing where a proof is required, else the document.
    @Test(arguments: [nil, "unknown"] as [String?])
    func withoutAProver(_ system: String?) async throws {
        let prover = system.map { ToyProofSystem(utopia, system: $0) }
        let required = RequestMatch(try request(), in: [stored], at: Utopia.now, zkProver: prover)
        #expect(required.docRequests[0].obstacle == .zeroKnowledgeRequired)
        #expect(required.docRequests[0].candidates.isEmpty && required.fullConsent().entries.isEmpty)
        let missing = RequestMatch(try request(docType: "other"), in: [stored], at: Utopia.now, zkProver: prover)
        #expect(missing.docRequests[0].obstacle == (prover == nil ? .zeroKnowledgeRequired : .noCredential))
        let optional = RequestMatch(try request(isRequired: false), in: [stored], at: Utopia.now, zkProver: prover)
        let response = try await respond(optional)
        #expect(response.zkDocuments.isEmpty && response.documents.count == 1)
    }

    @Test(arguments: [ToyProofSystem.Fault.throwing, .otherType, .otherSystem])
    func refusesProofsThatCannotBeUsed(_ fault: ToyProofSystem.Fault) async throws {
        let prover = ToyProofSystem(utopia, fault: fault)
        let match = RequestMatch(try request(), in: [stored], at: Utopia.now, zkProver: prover)
        let error = await #expect(throws: MdocError.self) { try await respond(match) }
        #expect(error?.code == .signingFailed)
    }

    /// Every check of a proof but that of the revocation, which is that of any document.
    @Test func refusesWhatIsNotProven() async throws {
        let request = try request()
        let match = RequestMatch(request, in: [stored], at: Utopia.now, zkProver: ToyProofSystem(utopia))
        let proof = try #require(try await respond(match).zkDocuments.first)
        func refusal(_ verification: Verification<VerifiedZkDocument>) -> [String] {
            [verification.refusal?.check.description, verification.refusal?.reason.description].compactMap { $0 }
        }
        let elsewhere = await verify(proof, request, transcript: SessionTranscript(handover: .qr))
        #expect(refusal(elsewhere) == ["zeroKnowledgeProof", "invalidZeroKnowledgeProof"])
        let stranger = MdocVerifier(
            trustAnchors: [TrustAnchor(try await Utopia().readerAuthority.certificate)],
            clock: { Utopia.now }
        )
        let untrusted = await verify(proof, request, with: stranger)
        #expect(refusal(untrusted) == ["issuerTrust", "issuerNotTrusted"])
        #expect(untrusted.outcome(of: .zeroKnowledgeProof) == .notReached)
        let otherTypes = await verify(proof, request, with: utopia.verifier(docTypes: [.photoID]))
        #expect(refusal(otherTypes) == ["trustedForDocType", "issuerNotTrusted"])
        let otherRequest = await verify(proof, try self.request(docType: .photoID))
        #expect(refusal(otherRequest) == ["credentialType", "unexpectedType"])
        var policy = MdocVerificationPolicy()
        policy.status = .required
        #expect(await verify(proof, request, with: utopia.verifier(policy: policy)).refusal?.check == .status)

        func changed(
            _ system: String = "1",
            days: Int32 = 0,
            chain: [Certificate]? = nil
        ) throws -> ZkDocument {
            try ZkDocument(
                docType: .mDL,
                zkSystemID: system,
                timestamp: CBORDate(daysSinceEpoch: ToyProofSystem.today.daysSinceEpoch + days),
                issuerSigned: [.mDL: ["family_name": "Doe"]],
                msoX5chain: chain ?? [utopia.documentSigner],
                proof: ToyProofSystem.proof(utopia.transcript, ["Doe"])
            )
        }
        for (document, expected) in [
            (try changed(), []), (try changed(days: 1), []), (try changed(days: -1), []),
            (try changed("2"), ["structure", "malformed"]),
            (try changed(days: 2), ["validity", "issuedInFuture"]), (try changed(days: -2), ["validity", "tooOld"]),
            (try changed(chain: []), ["signerCertificate", "invalidSignerCertificate"]),
        ] {
            #expect(refusal(await verify(document, request)) == expected)
        }
    }
}

/// A system of proofs that proves nothing to anyone but itself.
struct ToyProofSystem: ZkProver, ZkProofVerifier {
    enum Fault: Sendable {
        case throwing, otherType, otherSystem
    }

    struct DoesNotHold: Error {}

    let utopia: Utopia
    let system: String
    let fault: Fault?

    init(_ utopia: Utopia, system: String = "toy", fault: Fault? = nil) {
        self.utopia = utopia
        self.system = system
        self.fault = fault
    }

    /// The day of the tests.
    static let today = CBORDate(daysSinceEpoch: Int32(Utopia.now.timeIntervalSince1970 / 86_400))

    static func proof(_ transcript: SessionTranscript, _ values: [CBOR]) -> [UInt8] {
        HashAlgorithm.sha256.digest(of: Array(transcript.encodedBytes) + values.flatMap { $0.encoded() })
    }

    func system(
        among systems: [ZkRequest.SystemSpec],
        for credential: StoredMdoc,
        proving elements: [DataElementReference]
    ) -> ZkRequest.SystemSpec? {
        systems.first { $0.system == system && !elements.isEmpty }
    }

    func proof(
        of document: MdocDocument,
        by system: ZkRequest.SystemSpec,
        sessionTranscript: SessionTranscript,
        at time: Date
    ) async throws -> ZkDocument {
        if fault == .throwing { throw DoesNotHold() }
        var elements = DataElements<CBOR>()
        for group in document.issuerSigned.nameSpaces {
            for item in group.items {
                elements[group.nameSpace, item.elementIdentifier] = item.elementValue.value()
            }
        }
        return try ZkDocument(
            docType: fault == .otherType ? "other" : document.docType,
            zkSystemID: fault == .otherSystem ? "0" : system.zkSystemID,
            timestamp: Self.today,
            issuerSigned: elements,
            msoX5chain: [utopia.documentSigner],
            proof: Self.proof(sessionTranscript, elements.groups.flatMap { $0.elements.map(\.value) })
        )
    }

    func verify(
        _ document: ZkDocument,
        by system: ZkRequest.SystemSpec,
        issuer: ValidatedCertificateChain,
        sessionTranscript: SessionTranscript
    ) async throws {
        let values = document.issuerSigned.groups.flatMap { $0.elements.map { $0.value.value() } }
        guard system.system == self.system, issuer.leaf == utopia.documentSigner,
            document.proof.elementsEqual(Self.proof(sessionTranscript, values))
        else { throw DoesNotHold() }
    }
}
