import CBORKit
import CryptoCore
import MdocKit
import Testing

@Suite struct EncryptedDocumentTests {
    private let key: PrivateKey
    private let parameters: EncryptionParameters
    private let utopia: Utopia

    init() async throws {
        key = try PrivateKey.generate(.p256)
        utopia = try await Utopia()
        parameters = try EncryptionParameters(
            recipientKey: key.publicKey,
            certificates: [utopia.reader],
            nonce: [1, 2, 3]
        )
    }

    /// A document that is bound to a transcript.
    private func document(_ transcript: SessionTranscript) async throws -> MdocDocument {
        try await PreparedMdocDocument(utopia.licence(), sessionTranscript: transcript)
            .signed(with: SoftwareSigner(utopia.deviceKey))
    }

    private func encrypted() async throws -> EncryptedDocument {
        try EncryptedDocument(
            encrypting: [await document(utopia.transcript.encrypting(to: parameters))],
            answering: 1,
            to: parameters,
            sessionTranscript: utopia.transcript
        )
    }

    @Test func fromTheRequestToTheVerdict() async throws {
        var requestInfo = DocRequestInfo()
        requestInfo.docResponseEncryption = parameters.taggedBytes
        let items = try ItemsRequest(
            docType: .mDL,
            nameSpaces: [.mDL: ["family_name": false]],
            requestInfo: requestInfo
        )
        let request = try DeviceRequest(
            decoding: [UInt8](DeviceRequest(docRequests: [DocRequest(items)]).encodedBytes)
        )
        let received = try #require(try request.docRequests[0].itemsRequest.requestInfo?.encryptionParameters())
        #expect(received.taggedBytes == parameters.taggedBytes)
        #expect(received.recipientPublicKey == key.publicKey)
        #expect(received.recipientCertificate == [utopia.reader.derBytes])
        #expect(received.nonce == [1, 2, 3])

        let response = try DeviceResponse(documents: []).adding([await encrypted()])
        let read = try DeviceResponse(decoding: [UInt8](response.encodedBytes))
        let sealed = try #require(read.encryptedDocuments.first)
        #expect(sealed.docRequestID == 1)
        let decrypted = try await sealed.decrypted(
            with: key,
            parameters: parameters,
            sessionTranscript: utopia.transcript
        )
        let verification = await utopia.verifier().verify(
            decrypted.response,
            sessionTranscript: decrypted.sessionTranscript
        )
        #expect(verification.verifiedDocuments.count == 1)
        let inTheSession = try await utopia.verify(decrypted.response)
        #expect(inTheSession.verifiedDocuments.isEmpty)
    }

    /// The transcript by hand.
    @Test func theParametersStandForTheReadersKey() throws {
        let transcript = SessionTranscript(
            deviceEngagementBytes: CBOR.tagged(24, .bytes([0xa0])).encoded(),
            eReaderKeyBytes: CBOR.tagged(24, .bytes([0xa1, 0, 0])).encoded(),
            handover: .qr
        )
        let expected: CBOR = [
            .tagged(24, .bytes([0xa0])), try CBOR(decoding: parameters.taggedBytes), nil,
        ]
        #expect(transcript.encrypting(to: parameters).encodedBytes == expected.encoded())
    }

    @Test func whateverDiffersCannotBeDecrypted() async throws {
        let sealed = try await encrypted()
        let otherParameters = try EncryptionParameters(recipientKey: key.publicKey)
        let cases: [(PrivateKey, EncryptionParameters, SessionTranscript, MdocError.Code)] = [
            (try .generate(.p256), parameters, utopia.transcript, .decryptionFailed),
            (try .generate(.x25519), parameters, utopia.transcript, .unsupportedKey),
            (key, otherParameters, utopia.transcript, .decryptionFailed),
            (key, parameters, SessionTranscript(handover: .qr), .decryptionFailed),
        ]
        for (key, parameters, transcript, code) in cases {
            let error = await #expect(throws: MdocError.self) {
                try await sealed.decrypted(with: key, parameters: parameters, sessionTranscript: transcript)
            }
            #expect(error?.code == code)
        }
    }

    @Test func aPlaintextMustHoldSomething() async throws {
        let transcript = utopia.transcript.encrypting(to: parameters)
        let cases: [(CBOR, MdocError.Code?)] = [
            ([:], .missingMember), ([], .unexpectedType), (["documents": []], .deviation),
            (["documents": 1], .unexpectedType), (["zkDocuments": []], .deviation),
        ]
        for (content, code) in cases {
            let sealed = try HPKE.seal(
                content.encoded(),
                to: key.publicKey,
                suite: .p256SHA256AES128GCM,
                info: transcript.encodedBytes
            )
            let member: CBOR = [
                "version": "1.0", "status": 0,
                "encryptedDocuments": [
                    [
                        "enc": .bytes(sealed.encapsulatedKey), "cipherText": .bytes(sealed.ciphertext),
                        "docRequestID": 0,
                    ]
                ],
            ]
            let document = try #require(DeviceResponse(decoding: member.encoded()).encryptedDocuments.first)
            var refusal: MdocError?
            do throws(MdocError) {
                _ = try await document.decrypted(
                    with: key,
                    parameters: parameters,
                    sessionTranscript: utopia.transcript
                )
            } catch {
                refusal = error
            }
            #expect(refusal?.code == code)
        }
    }

    @Test func nothingIsEncryptedForNothing() throws {
        let error = #expect(throws: MdocError.self) {
            try EncryptedDocument(
                encrypting: [],
                answering: 0,
                to: parameters,
                sessionTranscript: utopia.transcript
            )
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func responsesThatTakeNone() async throws {
        let sealed = try await encrypted()
        let failed = try DeviceResponse(failure: .generalError)
        let full = try DeviceResponse(documents: []).adding([sealed])
        for response in [failed, full] {
            let error = #expect(throws: MdocError.self) { try response.adding([sealed]) }
            #expect(error?.code == .invalidValue)
        }
        #expect(try full.adding([]).encodedBytes == full.encodedBytes)
    }

    @Test(arguments: [
        MemberChange("recipientPublicKey", nil, .missingMember),
        MemberChange("recipientPublicKey", [:], .malformedCOSE),
        MemberChange("nonce", "text", .unexpectedType), MemberChange("recipientCertificate", 1, .unexpectedType),
        MemberChange("recipientCertificate", .array([CBOR](repeating: .bytes([0]), count: 9)), .limitExceeded),
        MemberChange(
            "recipientCertificate",
            [.bytes([UInt8](repeating: 0, count: 16 << 10 + 1))],
            .limitExceeded
        ),
    ])
    func parametersThatAreRefused(_ change: MemberChange) throws {
        let content = try CBOR(decoding: parameters.taggedBytes).embedded.encoded()
        let changed = CBOR.tagged(24, .bytes(try change.applied(to: content))).encoded()
        let error = #expect(throws: MdocError.self) { try EncryptionParameters(taggedBytes: changed) }
        #expect(error?.code == change.code)
    }

    @Test func aRecipientOnAnotherCurve() throws {
        let error = #expect(throws: MdocError.self) {
            try EncryptionParameters(recipientKey: PrivateKey.generate(.p384).publicKey)
        }
        #expect(error?.code == .unsupportedKey)
    }
}
