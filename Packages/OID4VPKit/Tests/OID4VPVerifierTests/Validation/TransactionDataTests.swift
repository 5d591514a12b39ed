import JOSEKit
import JSONKit
import MdocKit
import OID4VPVerifier
import SDJWTKit
import Testing

struct TransactionDataTests {
    private func request(
        _ scene: Scene,
        _ formats: [CredentialFormat],
        _ ids: [JSONValue],
        hash: JSONValue? = nil
    ) throws
        -> CreatedRequest
    {
        try scene.request(Scene.query(formats)) { content in
            var entry: JSONObject = ["type": "pay", "credential_ids": .array(ids), "amount": "10"]
            entry["transaction_data_hashes_alg"] = hash
            content.transactionData = [entry]
        }
    }

    @Test func takesAnAuthorizedTransaction() async throws {
        let scene = try await Scene()
        for hash in [nil, SDHashAlgorithm.sha384] {
            let request = try request(scene, [.sdJWT], ["pid"], hash: hash.map { [.string($0.rawValue)] })
            let sent = request.expectation.transactionData
            let presentation = try await scene.presentedSDJWT(request) {
                $0.transactionData = TransactionData(sent, hashAlgorithm: hash)
            }
            let verification = try await scene.verify(["pid": presentation], request)
            #expect(verification.refusal == nil)
            #expect(verification.verified?["pid"].first?.authorizedTransactions == sent)
        }
    }

    @Test func refusesAMissingOrOtherAuthorization() async throws {
        let scene = try await Scene()
        let request = try request(scene, [.sdJWT], ["pid"])
        let none = try await scene.presentedSDJWT(request)
        try await scene.verify(["pid": none], request).expectRefusal(.transactionData, .transactionDataMismatch)
        let other = try await scene.presentedSDJWT(request) { $0.transactionData = TransactionData(["e30"]) }
        try await scene.verify(["pid": other], request).expectRefusal(.transactionData, .transactionDataMismatch)
        let plain = try scene.request(Scene.query([.sdJWT]))
        let unasked = try await scene.presentedSDJWT(plain) { $0.transactionData = TransactionData(["e30"]) }
        try await scene.verify(["pid": unasked], plain).expectRefusal(.transactionData, .transactionDataMismatch)
    }

    /// One hash function is for all entries, and an entry that lists none permits SHA-256 alone.
    @Test(arguments: [(SDHashAlgorithm.sha256, true), (.sha512, false)])
    func takesHashesThatEachEntryPermits(_ hash: SDHashAlgorithm, isTaken: Bool) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT])) { content in
            let entry: JSONObject = ["type": "pay", "credential_ids": ["pid"], "amount": "10"]
            var other = entry
            other["transaction_data_hashes_alg"] = ["sha-512", "sha-256"]
            content.transactionData = [entry, other]
        }
        let sent = request.expectation.transactionData
        let presentation = try await scene.presentedSDJWT(request) {
            $0.transactionData = TransactionData(sent, hashAlgorithm: hash)
        }
        let verification = try await scene.verify(["pid": presentation], request)
        #expect((verification.refusal == nil) == isTaken, "\(String(describing: verification.refusal))")
        if !isTaken { verification.expectRefusal(.transactionData, .transactionDataMismatch) }
    }

    @Test func letsOneOfSeveralCredentialsAuthorize() async throws {
        let scene = try await Scene()
        let request = try request(scene, [.sdJWT, .mdoc], ["pid", "mdl"])
        let sent = request.expectation.transactionData
        let mdl = try await scene.presentedMdoc(Scene.transcript(request))
        let authorizing = try await scene.presentedSDJWT(request) { $0.transactionData = TransactionData(sent) }
        #expect(try await scene.verify(["pid": authorizing, "mdl": mdl], request).refusal == nil)
        let silent = try await scene.presentedSDJWT(request)
        try await scene.verify(["pid": silent, "mdl": mdl], request)
            .expectRefusal(.transactionData, .transactionNotAuthorized)
    }

    @Test func asksARuleForMdocs() async throws {
        let scene = try await Scene()
        let request = try request(scene, [.mdoc], ["mdl"])
        let presentation = try await scene.presentedMdoc(Scene.transcript(request))
        try await scene.verify(["mdl": presentation], request)
            .expectRefusal(.transactionData, .transactionNotAuthorized)
        var policy = PresentationPolicy()
        policy.mdocTransactions["pay"] = MdocTransactionRule { entry, document throws(CheckFault) in
            guard document[.mDL, "family_name"] != nil, !entry.isEmpty else {
                throw .failed(.transactionNotAuthorized, "the element is missing")
            }
        }
        #expect(try await scene.verify(["mdl": presentation], request, policy: policy).refusal == nil)
        policy.mdocTransactions["pay"] = MdocTransactionRule { _, _ throws(CheckFault) in throw .failed("no", "never") }
        try await scene.verify(["mdl": presentation], request, policy: policy).expectRefusal(.transactionData, "no")
        struct Offline: Error {}
        policy.mdocTransactions["pay"] = MdocTransactionRule { _, _ in throw Offline() }
        let refusal = try await scene.verify(["mdl": presentation], request, policy: policy).refusal
        #expect(refusal?.check == .transactionData && refusal?.reason == .operationFailed)
    }

    @Test(arguments: [CredentialFormat.linkedData, .jwt])
    func refusesFormatsThatCannotAuthorize(_ format: CredentialFormat) async throws {
        let scene = try await Scene()
        let id = try Scene.credentialQuery(format).id
        let request = try request(scene, [format], [.string(id.text)])
        try await scene.verify([id: try await scene.presented(format, request)], request)
            .expectRefusal(.transactionData, .transactionNotAuthorized)
    }
}
