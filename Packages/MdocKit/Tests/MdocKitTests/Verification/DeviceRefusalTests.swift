import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocResults
import Testing

/// Each way in which what the device authenticated can be wrong, with its check and its reason.
@Suite struct DeviceRefusalTests {
    private func expect(
        _ response: DeviceResponse,
        in utopia: Utopia,
        fails check: Check,
        for reason: FailureReason = .mobileCredentialInvalid,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let document = try #require(try await utopia.verify(response).documents.first)
        #expect(document.failure?.check == check, "\(document.checks)", sourceLocation: sourceLocation)
        #expect(document.failure?.reason == reason, sourceLocation: sourceLocation)
        #expect(document.verified == nil, sourceLocation: sourceLocation)
    }

    @Test func anotherSession() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(
            await utopia.licence(),
            sessionTranscript: SessionTranscript(handover: .qr)
        )
        let response = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(utopia.deviceKey))])
        try await expect(response, in: utopia, fails: .holderBinding)
    }

    @Test func payloadInTheSignature() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.presentation { document in
            document.change("deviceSigned") {
                $0.change("deviceAuth") {
                    $0.change("deviceSignature") { auth in
                        auth.change(2) { $0 = .bytes([]) }
                    }
                }
            }
        }
        try await expect(response, in: utopia, fails: .holderBinding)
    }

    @Test func algorithmThatDoesNotGoWithTheDeviceKey() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let signature = try await COSESign1.sign(
            prepared.deviceAuthentication.taggedBytes,
            detached: true,
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.es384.rawValue)]),
            with: SoftwareSigner(utopia.deviceKey, algorithm: .ecdsaSHA384)
        )
        let response = try await utopia.presentation { document in
            try document.change("deviceSigned") {
                try $0.change("deviceAuth") {
                    $0 = ["deviceSignature": try CBOR(decoding: signature.encoded(tagged: false))]
                }
            }
        }
        try await expect(response, in: utopia, fails: .holderBinding)
    }

    @Test func docTypeThatTheIssuerDidNotSign() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.presentation { $0.set("docType", "org.example.other") }
        try await expect(response, in: utopia, fails: .credentialType)
    }

    @Test func docTypeThatWasNotAskedFor() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.present(utopia.licence())
        let wanted = try ItemsRequest(docType: "org.iso.23220.photoid.1", nameSpaces: [.mDL: ["family_name": false]])
        let verification = try await utopia.verifier().verify(
            response,
            sessionTranscript: utopia.transcript,
            request: DeviceRequest(docRequests: [DocRequest(wanted)])
        )
        #expect(verification.documents.first?.failure?.check == .credentialType)
    }

    @Test func refusesAMACUnderAnotherKey() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let stranger = try PrivateKey.generate(.p256)
        let response = try DeviceResponse(documents: [
            await prepared.authenticated(with: utopia.deviceKey, readerKey: stranger.publicKey)
        ])
        try await expect(response, in: utopia, fails: .holderBinding)
    }

    /// The device key's own `alg` (3) and `key_ops` (4) restrict what it authenticates (RFC 9052 section 7.1).
    @Test(
        arguments: [
            (3, -7, true, false), (3, -35, false, false), (3, -25, false, true), (4, [2], true, false),
            (4, [1], false, false),
            (4, [], false, true), (4, [7], false, true), (4, [8], false, true), (4, [2, 8], true, true),
        ] as [(CBOR, CBOR, Bool, Bool)]
    )
    func restrictionOfTheDeviceKey(label: CBOR, value: CBOR, signs: Bool, agrees: Bool) async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence { object in
            object.change("deviceKeyInfo") { info in
                info.change("deviceKey") { key in
                    guard case .map(var members) = key else { return }
                    members[label] = value
                    key = .map(members)
                }
            }
        }
        let prepared = try PreparedMdocDocument(licence, sessionTranscript: utopia.transcript)
        let signed = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(utopia.deviceKey))])
        let readerKey = utopia.ephemeralReaderKey.publicKey
        let agreed = try DeviceResponse(documents: [
            await prepared.authenticated(with: utopia.deviceKey, readerKey: readerKey)
        ])
        for (response, isTaken) in [(signed, signs), (agreed, agrees)] {
            if isTaken {
                #expect(try await utopia.verify(response).verifiedDocuments.count == 1)
            } else {
                try await expect(response, in: utopia, fails: .holderBinding, for: .deviceKeyInvalid)
            }
        }
    }

    @Test func macWithoutAReadersKeyOnTheCurve() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let response = try DeviceResponse(documents: [
            await prepared.authenticated(with: utopia.deviceKey, readerKey: utopia.ephemeralReaderKey.publicKey)
        ])
        let verification = try await utopia.verifier().verify(
            response,
            sessionTranscript: utopia.transcript,
            readerKeys: [PrivateKey.generate(.x25519)]
        )
        #expect(verification.documents.first?.failure?.check == .holderBinding)
        #expect(try await utopia.verify(response).verifiedDocuments.count == 1)
    }

    /// A licence whose device key may sign what the mobile security object says.
    private func licence(_ utopia: Utopia, authorizing authorizations: CBOR?) async throws -> IssuerSigned {
        try await utopia.licence { $0.change("deviceKeyInfo") { $0.set("keyAuthorizations", authorizations) } }
    }

    private func present(
        _ utopia: Utopia,
        _ licence: IssuerSigned,
        elements: CBOR
    ) async throws -> DeviceResponse {
        let nameSpaces = CBOR.tagged(24, .bytes(elements.encoded()))
        let authentication = DeviceAuthentication(
            sessionTranscript: utopia.transcript,
            docType: .mDL,
            deviceNameSpacesBytes: nameSpaces.encoded()
        )
        let signature = try await COSESign1.sign(
            authentication.taggedBytes,
            detached: true,
            with: SoftwareSigner(utopia.deviceKey)
        )
        return try await utopia.presentation(of: licence) { document in
            let auth: CBOR = ["deviceSignature": try CBOR(decoding: signature.encoded(tagged: false))]
            document.set("deviceSigned", ["nameSpaces": nameSpaces, "deviceAuth": auth])
        }
    }

    @Test(
        arguments: [
            nil, ["nameSpaces": ["org.example.other"]], ["dataElements": ["org.example": ["other"]]],
            [:], ["nameSpaces": ["org.example"], "dataElements": ["org.example": ["pin_verified"]]],
        ] as [CBOR?]
    )
    func elementThatTheDeviceMayNotSign(_ authorizations: CBOR?) async throws {
        let utopia = try await Utopia()
        let licence = try await licence(utopia, authorizing: authorizations)
        let response = try await present(utopia, licence, elements: ["org.example": ["pin_verified": true]])
        try await expect(response, in: utopia, fails: .keyAuthorizations, for: .deviceKeyInvalid)
    }

    @Test(
        arguments: [
            ["nameSpaces": ["org.example"]], ["dataElements": ["org.example": ["pin_verified"]]],
        ] as [CBOR]
    )
    func elementThatTheDeviceMaySign(_ authorizations: CBOR) async throws {
        let utopia = try await Utopia()
        let licence = try await licence(utopia, authorizing: authorizations)
        let response = try await present(utopia, licence, elements: ["org.example": ["pin_verified": true]])
        let document = try #require(try await utopia.verify(response).verifiedDocuments.first)
        #expect(document["org.example", "pin_verified"]?.value == true)
        #expect(document["org.example", "pin_verified"]?.source == .device)
        #expect(document.elements["org.example", "pin_verified"]?.source == .device)
    }

    @Test func elementThatTheIssuerSignedToo() async throws {
        let utopia = try await Utopia()
        let licence = try await licence(utopia, authorizing: ["nameSpaces": ["org.iso.18013.5.1"]])
        let response = try await present(utopia, licence, elements: ["org.iso.18013.5.1": ["family_name": "Roe"]])
        try await expect(response, in: utopia, fails: .digests)
    }

    @Test func oneDocumentThatFailsDoesNotTouchTheOther() async throws {
        let utopia = try await Utopia()
        let good = try await utopia.present(utopia.licence())
        let bad = try await utopia.presentation { $0.set("docType", "org.example.other") }
        let unreadable = try await utopia.presentation { $0.set("deviceSigned", nil) }
        var message = try CBOR(decoding: [UInt8](good.encodedBytes))
        var documents: [CBOR] = []
        for response in [bad, unreadable, good] {
            documents += try #require(CBOR(decoding: [UInt8](response.encodedBytes))["documents"]?.arrayValue)
        }
        message.set("documents", .array(documents))
        let response = try DeviceResponse(decoding: message.encoded())
        #expect(response.documents.map(\.index) == [0, 2])
        #expect(response.unreadableDocuments.map(\.index) == [1])
        let verification = try await utopia.verify(response)
        #expect(verification.parts.map(\.name) == ["documents[0]", "documents[1]", "documents[2]"])
        #expect(verification.refusal?.path == ["documents[0]"])
        #expect(verification.documents.map { $0.failure?.check } == [.credentialType, .structure, nil])
        #expect(verification.documents[1].checks.map(\.check) == MdocVerifier.documentChecks)
        #expect(verification.verifiedDocuments.count == 1)
    }

    @Test(arguments: [10, 11, 12, 20] as [UInt64])
    func statusThatSaysThatProcessingFailed(_ status: UInt64) async throws {
        let utopia = try await Utopia()
        let response = try await utopia.present(utopia.licence())
        var message = try CBOR(decoding: [UInt8](response.encodedBytes))
        message.set("status", .unsigned(status))
        let verification = try await utopia.verify(DeviceResponse(decoding: message.encoded()))
        #expect(verification.refusal?.check == .responseStatus)
        #expect(verification.refusal?.reason == .processingFailed)
        #expect(verification.documents.isEmpty)
    }

    @Test func aResponseWithoutDocuments() async throws {
        let verification = try await Utopia().verify(DeviceResponse(documents: []))
        #expect(verification.refusal?.check == .documents)
        #expect(verification.refusal?.reason == .noDocuments)
    }

    @Test func checksOfTheUsersOwn() async throws {
        let utopia = try await Utopia()
        let own = AdditionalCheck<VerifiedMdocDocument>("own") { document, time throws(CheckFault) in
            #expect(time == Utopia.now)
            guard document[.mDL, "family_name"] == nil else { throw .failed("unwanted", "the name is not to be shown") }
        }
        let anchor = TrustAnchor(utopia.iaca.certificate)
        let verifier = MdocVerifier(trustAnchors: [anchor], additionalChecks: [own], clock: { Utopia.now })
        let response = try await utopia.present(utopia.licence())
        let verification = try await utopia.verify(response, with: verifier)
        #expect(verification.refusal?.check == "own")
        #expect(verification.refusal?.path == ["documents[0]"])
        #expect(verification.documents[0].checks.map(\.check) == MdocVerifier.documentChecks + ["own"])
        let forged = try await utopia.presentation { $0.set("docType", "org.example.other") }
        let refused = try await utopia.verify(forged, with: verifier)
        #expect(refused.refusal?.check == .credentialType)
        #expect(refused.documents[0].checks.last?.outcome == .notReached)
        let byItself = await utopia.verifier().verify(
            try await utopia.licence(),
            additionalChecks: [AdditionalCheck("own") { _, _ throws(CheckFault) in throw .failed("unwanted", "no") }]
        )
        #expect(byItself.refusal?.reason == "unwanted")
    }
}
