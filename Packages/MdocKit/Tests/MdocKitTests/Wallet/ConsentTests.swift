import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import MdocKit
import Testing

@Suite struct ConsentTests {
    private let transaction: NameSpace = "org.example.transaction"

    /// A licence with a portrait, whose device key may sign transaction data.
    private func stored(
        _ utopia: Utopia,
        id: String = "a",
        usage: DeviceKeyUsage = .signature
    ) async throws -> StoredMdoc {
        var builder = try utopia.builder()
        try builder.add(.bytes([0xff, 0xd8, 0xff]), as: "portrait", in: .mDL)
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: [transaction])
        return StoredMdoc(id: id, issuerSigned: try await utopia.issue(builder), deviceKeyUsage: usage)
    }

    private func request(
        _ elements: [KeyValuePairs<DataElementIdentifier, Bool>],
        _ info: DocRequestInfo? = nil,
        useCases: [UseCase] = [],
        macKeys: [PublicKey] = []
    ) throws -> DeviceRequest {
        try DeviceRequest.received(
            elements.map { try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: $0], requestInfo: info) },
            deviceRequestInfo: useCases.isEmpty ? nil : DeviceRequestInfo(useCases: useCases),
            macKeys: macKeys.map { try COSEKey(publicKey: $0) }
        )
    }

    private func entry(
        _ docRequest: Int,
        _ elements: [DataElementIdentifier],
        credential: String = "a",
        device: DataElements<CBOR> = DataElements()
    ) -> ConsentDecision.Entry {
        ConsentDecision.Entry(
            docRequest: docRequest,
            credential: credential,
            elements: elements.map { DataElementReference(.mDL, $0) },
            deviceElements: device
        )
    }

    private func code(
        _ match: RequestMatch,
        _ entries: ConsentDecision.Entry...,
        in utopia: Utopia
    ) -> MdocError.Code? {
        do throws(MdocError) {
            _ = try match.documents(for: ConsentDecision(entries), sessionTranscript: utopia.transcript, at: Utopia.now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func presentsWhatTheHolderAgreedTo() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request([["family_name": true, "given_name": false, "age_over_16": false, "height": false]]),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        let decision = ConsentDecision([entry(0, ["family_name", "age_over_18"])])
        let signer = try SoftwareSigner(utopia.deviceKey)
        let response = try await match.response(
            to: decision,
            sessionTranscript: utopia.transcript,
            at: Utopia.now,
            reportsErrors: true
        ) { credential in
            #expect(credential.id == "a")
            return .signer(signer)
        }
        #expect(response.documents[0].errors == [.mDL: ["given_name": .dataNotReturned, "height": .dataNotReturned]])
        let document = try #require(try await utopia.verify(response).verifiedDocuments.first)
        #expect(document.elements.references.map(\.identifier) == ["family_name", "age_over_18"])
    }

    @Test func presentsEverythingWithFullConsent() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request([["family_name": true, "portrait": false], ["given_name": false]]),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        let signer = try SoftwareSigner(utopia.deviceKey)
        let response = try await match.response(
            to: match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now
        ) { _ in .signer(signer) }
        let documents = try await utopia.verify(response).verifiedDocuments
        #expect(
            documents.map { $0.elements.references.map(\.identifier) } == [
                ["family_name", "portrait"], ["given_name"],
            ]
        )
        #expect(response.documents.allSatisfy { $0.errors.isEmpty })
    }

    @Test func returnsNothingWhereTheHolderDeclines() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request([["family_name": true]], useCases: [UseCase(mandatory: true, documentSets: [[0]])]),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        let response = try await match.response(
            to: .declined,
            sessionTranscript: utopia.transcript,
            at: Utopia.now,
            reportsErrors: true
        ) { _ in throw MdocError(.signingFailed, "no key is needed") }
        #expect(response.documents.isEmpty)
        #expect(response.status == .ok)
        #expect(response.documentErrors.map(\.docType) == [.mDL])
        #expect(response.documentErrors.map(\.code) == [.dataNotReturned])
    }

    @Test func signsInTwoSteps() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(try request([["family_name": true]]), in: [try await stored(utopia)], at: Utopia.now)
        let decision = match.fullConsent()
        let consented = try match.documents(for: decision, sessionTranscript: utopia.transcript, at: Utopia.now)
        #expect(consented.map(\.docRequest) == [0])
        let signer = try SoftwareSigner(utopia.deviceKey)
        let documents = try consented.map { document in
            let unsigned = try document.prepared.unsignedSignature()
            return try unsigned.completed(with: signer.signature(for: unsigned.bytesToSign))
        }
        let response = try match.response(documents: documents, to: decision)
        #expect(try await utopia.verify(response).verifiedDocuments.count == 1)
    }

    @Test func makesMACsWithTheKeyOfItsCurve() async throws {
        let utopia = try await Utopia()
        let other = try PrivateKey.generate(.p384)
        let macKey = try PrivateKey.generate(.p256)
        let request = try request([["family_name": true]], macKeys: [other.publicKey, macKey.publicKey])
        let match = RequestMatch(
            try DeviceRequest(decoding: Array(request.encodedBytes)),
            in: [try await stored(utopia, usage: .mac)],
            at: Utopia.now
        )
        let deviceKey = utopia.deviceKey
        let response = try await match.response(
            to: match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now,
            readerKeys: [utopia.ephemeralReaderKey.publicKey]
        ) { _ in .keyAgreement(deviceKey) }
        guard case .deviceMac = response.documents[0].deviceSigned.deviceAuth else {
            Issue.record("no MAC")
            return
        }
        let verification = await utopia.verifier().verify(
            response,
            sessionTranscript: utopia.transcript,
            readerKeys: [other, macKey]
        )
        #expect(verification.verifiedDocuments.count == 1)
        #expect(try await utopia.verify(response).verifiedDocuments.isEmpty)
    }

    @Test func makesMACsWithTheReadersEphemeralKey() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request([["family_name": true]]),
            in: [try await stored(utopia, usage: .mac)],
            at: Utopia.now
        )
        let deviceKey = utopia.deviceKey
        let response = try await match.response(
            to: match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now,
            readerKeys: [PrivateKey.generate(.x25519).publicKey, utopia.ephemeralReaderKey.publicKey]
        ) { _ in .keyAgreement(deviceKey) }
        #expect(try await utopia.verify(response).verifiedDocuments.count == 1)
        let error = await #expect(throws: MdocError.self) {
            try await match.response(
                to: match.fullConsent(),
                sessionTranscript: utopia.transcript,
                at: Utopia.now,
                readerKeys: [PrivateKey.generate(.p384).publicKey]
            ) { _ in .keyAgreement(deviceKey) }
        }
        #expect(error?.code == .keyMismatch)
    }

    @Test func neverUsesAKeyForBoth() async throws {
        let utopia = try await Utopia()
        let deviceKey = utopia.deviceKey
        let signer = try SoftwareSigner(deviceKey)
        for (usage, handle) in [(.signature, .keyAgreement(deviceKey)), (.mac, .signer(signer))]
            as [(DeviceKeyUsage, DeviceKeyHandle)]
        {
            let match = RequestMatch(
                try request([["family_name": true]]),
                in: [try await stored(utopia, usage: usage)],
                at: Utopia.now
            )
            let error = await #expect(throws: MdocError.self) {
                try await match.response(
                    to: match.fullConsent(),
                    sessionTranscript: utopia.transcript,
                    at: Utopia.now,
                    readerKeys: [utopia.ephemeralReaderKey.publicKey]
                ) { _ in handle }
            }
            #expect(error?.code == .keyMismatch)
        }
    }

    @Test func passesOnThatAKeyIsNotToBeHad() async throws {
        struct Locked: Error {}
        let utopia = try await Utopia()
        let match = RequestMatch(try request([["family_name": true]]), in: [try await stored(utopia)], at: Utopia.now)
        let error = await #expect(throws: MdocError.self) {
            try await match.response(to: match.fullConsent(), sessionTranscript: utopia.transcript, at: Utopia.now) {
                _ in
                throw Locked()
            }
        }
        #expect(error?.code == .signingFailed)
        #expect(error?.cause is Locked)
    }

    @Test func deviceElementsNeedAuthorization() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(try request([["family_name": true]]), in: [try await stored(utopia)], at: Utopia.now)
        let hash: DataElements<CBOR> = [transaction: ["hash": .bytes([1])]]
        let signer = try SoftwareSigner(utopia.deviceKey)
        let response = try await match.response(
            to: ConsentDecision([entry(0, ["family_name"], device: hash)]),
            sessionTranscript: utopia.transcript,
            at: Utopia.now
        ) { _ in .signer(signer) }
        let document = try #require(try await utopia.verify(response).verifiedDocuments.first)
        #expect(document[transaction, "hash"]?.value == .bytes([1]))
        #expect(document[transaction, "hash"]?.source == .device)
        let unauthorized: DataElements<CBOR> = [.mDL: ["height": 182]]
        #expect(code(match, entry(0, ["family_name"], device: unauthorized), in: utopia) == .invalidValue)
    }

    @Test func refusesWhatWasNotAskedFor() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request([["family_name": true], ["height": true]]),
            in: [try await stored(utopia), try await stored(utopia, id: "b")],
            at: Utopia.now
        )
        #expect(code(match, entry(0, ["family_name"]), in: utopia) == nil)
        #expect(code(match, entry(0, ["given_name"]), in: utopia) == .invalidValue)
        #expect(code(match, entry(2, ["family_name"]), in: utopia) == .invalidValue)
        #expect(code(match, entry(-1, ["family_name"]), in: utopia) == .invalidValue)
        #expect(code(match, entry(1, []), in: utopia) == .invalidValue)
        #expect(code(match, entry(0, ["family_name"], credential: "c"), in: utopia) == .invalidValue)
        let same = entry(0, ["family_name"])
        #expect(code(match, same, same, in: utopia) == .invalidValue)
        #expect(code(match, same, entry(0, ["family_name"], credential: "b"), in: utopia) == nil)
    }

    @Test func returnsThePortraitWithAnythingElse() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request([["family_name": true, "portrait": false], ["given_name": false]]),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        #expect(code(match, entry(0, ["family_name"]), in: utopia) == .requestUnsatisfied)
        #expect(code(match, entry(0, ["family_name", "portrait"]), in: utopia) == nil)
        #expect(code(match, entry(0, ["portrait"]), in: utopia) == nil)
        #expect(code(match, entry(0, []), in: utopia) == nil)
        #expect(code(match, entry(1, ["given_name"]), in: utopia) == nil)
    }

    @Test func returnsTwoAgesAtMost() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        try builder.add(true, as: "age_over_16", in: .mDL)
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        let match = RequestMatch(
            try request([["age_over_16": true, "age_over_18": false], ["age_over_21": false]]),
            in: [stored],
            at: Utopia.now
        )
        let first = entry(0, ["age_over_16", "age_over_18"])
        #expect(code(match, first, in: utopia) == nil)
        #expect(code(match, first, entry(1, ["age_over_21"]), in: utopia) == .requestUnsatisfied)
        #expect(code(match, entry(0, ["age_over_16"]), entry(1, ["age_over_21"]), in: utopia) == nil)
        let consent = match.fullConsent()
        #expect(try match.documents(for: consent, sessionTranscript: utopia.transcript, at: Utopia.now).count == 2)
    }

    /// Document requests 0 and 1 ask for four ages together, 2 and 3 for a name each.
    @Test(
        arguments: [
            // The optional use case takes no age from the mandatory one.
            ([(false, [[0]]), (true, [[1]])], [1, 2, 3]),
            // The second set leaves the ages to the first use case.
            ([(true, [[0]]), (true, [[1], [2]])], [0, 2, 3]),
            ([(true, [[0]]), (true, [[1]])], []),
            // The larger set of the first use case is served too, by the second.
            ([(true, [[0], [2, 3]]), (false, [[2, 3]])], [0, 1, 2, 3]),
            ([(true, [[2]])], [0, 1, 2, 3]),
        ] as [([(Bool, [[Int]])], [Int])]
    )
    func fullConsentServesTheUseCases(_ useCases: [(Bool, [[Int]])], answered: [Int]) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        for age: DataElementIdentifier in ["age_over_16", "age_over_65"] { try builder.add(true, as: age, in: .mDL) }
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        let match = RequestMatch(
            try request(
                [
                    ["age_over_16": false, "age_over_18": false], ["age_over_21": false, "age_over_65": false],
                    ["family_name": false], ["given_name": false],
                ],
                useCases: useCases.map { UseCase(mandatory: $0.0, documentSets: $0.1) }
            ),
            in: [stored],
            at: Utopia.now
        )
        let consent = match.fullConsent()
        #expect(match.answerable == answered && consent.entries.map(\.docRequest) == answered)
        let documents = try match.documents(for: consent, sessionTranscript: utopia.transcript, at: Utopia.now)
        #expect(documents.count == answered.count)
    }

    @Test func givesAUniqueAnswerOnce() async throws {
        let utopia = try await Utopia()
        var info = DocRequestInfo()
        info.uniqueDocSetRequired = true
        let match = RequestMatch(
            try request([["family_name": true]], info),
            in: [try await stored(utopia), try await stored(utopia, id: "b")],
            at: Utopia.now
        )
        #expect(match.docRequests[0].isUnique && match.docRequests[0].candidates.count == 2)
        let first = entry(0, ["family_name"])
        #expect(code(match, first, in: utopia) == nil)
        #expect(code(match, first, entry(0, ["family_name"], credential: "b"), in: utopia) == .requestUnsatisfied)
    }

    @Test func servesMandatoryUseCasesAsAWhole() async throws {
        let utopia = try await Utopia()
        let elements: [KeyValuePairs<DataElementIdentifier, Bool>] = [
            ["family_name": true, "given_name": false], ["birth_date": false], ["age_over_18": false],
            ["issuing_country": false],
        ]
        let match = RequestMatch(
            try request(
                elements,
                useCases: [
                    UseCase(mandatory: true, documentSets: [[0, 1], [1]]),
                    UseCase(mandatory: false, documentSets: [[2]]),
                ]
            ),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        #expect(match.useCases.map(\.documentSet) == [[0, 1], [2]])
        let names = entry(0, ["family_name", "given_name"])
        let date = entry(1, ["birth_date"])
        let age = entry(2, ["age_over_18"])
        #expect(code(match, names, date, age, in: utopia) == nil)
        #expect(code(match, names, date, in: utopia) == nil)
        #expect(code(match, date, in: utopia) == nil)
        #expect(code(match, date, entry(3, ["issuing_country"]), in: utopia) == nil)
        #expect(code(match, age, in: utopia) == .requestUnsatisfied)
        #expect(code(match, names, in: utopia) == .requestUnsatisfied)
        #expect(code(match, entry(0, ["family_name"]), date, in: utopia) == .requestUnsatisfied)
        #expect(code(match, in: utopia) == nil)
    }

    @Test func servesAUseCaseByOneDocumentSet() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request(
                [["family_name": true], ["birth_date": false]],
                useCases: [UseCase(mandatory: true, documentSets: [[0], [1]])]
            ),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        let both = [entry(0, ["family_name"]), entry(1, ["birth_date"])]
        #expect(code(match, both[0], in: utopia) == nil)
        #expect(code(match, both[1], in: utopia) == nil)
        #expect(code(match, both[0], both[1], in: utopia) == .requestUnsatisfied)
    }

    /// 10.2.5: where use cases are stated, an answer serves one of them.
    @Test func servesOneUseCaseAtLeast() async throws {
        let utopia = try await Utopia()
        let match = RequestMatch(
            try request(
                [["family_name": true], ["portrait": false], ["birth_date": false]],
                useCases: [
                    UseCase(mandatory: false, documentSets: [[0]]), UseCase(mandatory: false, documentSets: [[1]]),
                ]
            ),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        let other = entry(2, ["birth_date"])
        #expect(code(match, entry(0, ["family_name"]), other, in: utopia) == nil)
        #expect(code(match, entry(0, ["family_name"]), in: utopia) == nil)
        #expect(code(match, other, in: utopia) == .requestUnsatisfied)
        #expect(code(match, in: utopia) == nil)
    }

    @Test func aDeviceElementServesARequest() async throws {
        let utopia = try await Utopia()
        let request = try DeviceRequest(
            docRequests: [DocRequest(try ItemsRequest(docType: .mDL, nameSpaces: [transaction: ["hash": false]]))],
            deviceRequestInfo: DeviceRequestInfo(useCases: [UseCase(mandatory: true, documentSets: [[0]])])
        )
        let match = RequestMatch(request, in: [try await stored(utopia)], at: Utopia.now)
        let hash: DataElements<CBOR> = [transaction: ["hash": .bytes([1])]]
        #expect(code(match, entry(0, [], device: hash), in: utopia) == nil)
        #expect(code(match, entry(0, []), in: utopia) == .requestUnsatisfied)
    }

    @Test func returnsNothingInTheClearThatIsToBeEncrypted() async throws {
        let utopia = try await Utopia()
        var info = DocRequestInfo()
        info.docResponseEncryption = CBOR.tagged(24, .bytes([0xa0])).encoded()
        let match = RequestMatch(
            try request([["family_name": true]], info),
            in: [try await stored(utopia)],
            at: Utopia.now
        )
        #expect(match.docRequests[0].encryptionParametersBytes == info.docResponseEncryption)
        #expect(code(match, entry(0, ["family_name"]), in: utopia) == .requestUnsatisfied)
        let other = SessionTranscript(
            eReaderKeyBytes: info.docResponseEncryption,
            handover: utopia.transcript.handover
        )
        let documents = try match.documents(
            for: match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now,
            encryptedTranscript: { _ in other }
        )
        #expect(documents.map(\.prepared.sessionTranscript) == [other])
    }

    @Test func keepsToTheLargestResponse() async throws {
        let utopia = try await Utopia()
        let credential = try await stored(utopia)
        let signer = try SoftwareSigner(utopia.deviceKey)
        func size(limit: UInt64?) async throws -> Int {
            var info = DocRequestInfo()
            info.maximumResponseSize = limit
            info.uniqueDocSetRequired = true
            let match = RequestMatch(try request([["family_name": true]], info), in: [credential], at: Utopia.now)
            let response = try await match.response(
                to: match.fullConsent(),
                sessionTranscript: utopia.transcript,
                at: Utopia.now
            ) { _ in .signer(signer) }
            return response.encodedBytes.count
        }
        let exact = UInt64(try await size(limit: nil))
        #expect(try await size(limit: exact) == Int(exact))
        let error = await #expect(throws: MdocError.self) { try await size(limit: exact - 1) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func presentsEachCopyOfABatch() async throws {
        let utopia = try await Utopia()
        let keys = try (0..<3).map { _ in try PrivateKey.generate(.p256) }
        let copies = try await utopia.builder().template(x5chain: [utopia.documentSigner])
            .sign(
                for: keys.map { DeviceBinding($0.publicKey) },
                with: SoftwareSigner(utopia.documentSignerKey)
            )
        let credentials = copies.enumerated().map { StoredMdoc(id: "\($0)", issuerSigned: $1) }
        let match = RequestMatch(
            try request([["family_name": true, "age_over_20": false]]),
            in: credentials,
            at: Utopia.now
        )
        #expect(match.docRequests[0].candidates.map(\.credential.id) == ["0", "1", "2"])
        for (index, candidate) in match.docRequests[0].candidates.enumerated() {
            let decision = ConsentDecision([
                .init(docRequest: 0, credential: candidate.credential.id, elements: candidate.disclosed)
            ])
            let signer = try SoftwareSigner(keys[index])
            let response = try await match.response(
                to: decision,
                sessionTranscript: utopia.transcript,
                at: Utopia.now
            ) { _ in .signer(signer) }
            let document = try #require(try await utopia.verify(response).verifiedDocuments.first)
            #expect(document.deviceKey == keys[index].publicKey)
            #expect(document.elements.references.map(\.identifier) == ["family_name", "age_over_21"])
        }
    }
}
