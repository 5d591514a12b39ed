import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocElements
import MdocKit
import MdocResults
import Testing

/// Deviations of real producers: tolerated and reported, refused in strict reading, and never a change of what is hashed.
@Suite struct ToleranceTests {
    /// Reads a changed licence in both modes, and verifies it where it is read.
    private func expect(
        _ bytes: [UInt8],
        _ utopia: Utopia,
        deviates tolerances: Set<MdocTolerance>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = #expect(throws: MdocError.self, sourceLocation: sourceLocation) {
            try IssuerSigned(decoding: bytes)
        }
        #expect(error?.code == .deviation, "\(String(describing: error))", sourceLocation: sourceLocation)
        let names = tolerances.map { "not tolerated: \($0)" }
        #expect(names.contains(error?.message ?? ""), "\(String(describing: error))", sourceLocation: sourceLocation)
        let options = MdocReadingOptions(tolerances: tolerances)
        let credential = try IssuerSigned(decoding: bytes, options: options)
        #expect(Set(credential.deviations.map(\.tolerance)) == tolerances, sourceLocation: sourceLocation)
        #expect(credential.encodedBytes == bytes[...], sourceLocation: sourceLocation)
        let verification = utopia.verifier().verifyForStorage(credential)
        #expect(
            verification.deviations.map(\.description) == credential.deviations.map(\.description),
            sourceLocation: sourceLocation
        )
        guard case .verified = verification.verdict else {
            Issue.record("\(verification.checks)", sourceLocation: sourceLocation)
            return
        }
    }

    @Test func theLicenceItselfDeviatesInNothing() async throws {
        let bytes = [UInt8](try await Utopia().licence().encodedBytes)
        #expect(try IssuerSigned(decoding: bytes).deviations.isEmpty)
        #expect(try IssuerSigned(decoding: bytes, options: .deployed).deviations.isEmpty)
    }

    @Test func lengthsInALongerForm() async throws {
        let utopia = try await Utopia()
        let bytes = [UInt8](try await utopia.licence().encodedBytes)
        try #require(bytes[0] == 0xa2)
        try expect([0xb9, 0x00, 0x02] + bytes.dropFirst(), utopia, deviates: [.nonPreferredEncoding])
    }

    @Test func indefiniteLengths() async throws {
        let utopia = try await Utopia()
        let bytes = [UInt8](try await utopia.licence().encodedBytes)
        try expect([0xbf] + bytes.dropFirst() + [0xff], utopia, deviates: [.indefiniteLength])
    }

    @Test func itemsOfATolerableMessageAreFoundAsOthersAre() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence()
        let bytes = [UInt8](licence.encodedBytes)
        let tolerated = try IssuerSigned(
            decoding: [0xbf] + bytes.dropFirst() + [0xff],
            options: MdocReadingOptions(tolerances: [.indefiniteLength])
        )
        for group in licence.nameSpaces {
            #expect(tolerated[group.nameSpace].count == group.items.count)
            for (item, other) in zip(group.items, tolerated[group.nameSpace]) {
                #expect(item.digestID == other.digestID)
                #expect(item.random == other.random)
                #expect(item.taggedBytes == other.taggedBytes)
                let found = tolerated[group.nameSpace, item.elementIdentifier]
                #expect(found?.taggedBytes == item.taggedBytes)
                #expect(found?.elementValue.encodedBytes == item.elementValue.encodedBytes)
            }
            #expect(tolerated[group.nameSpace, "no such element"] == nil)
        }
    }

    @Test func bothAtOnce() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.set("note", 1)
        var bytes = credential.encoded()
        try #require(bytes.last == 1)
        bytes.removeLast()
        try expect(
            [0xbf] + bytes.dropFirst() + [0x18, 0x01, 0xff],
            utopia,
            deviates: [.nonPreferredEncoding, .indefiniteLength]
        )
    }

    @Test func lengthsInALongerFormWithinWhatIsSigned() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.encodedLicence(options: .deployed) { object in
            let bytes = object.encoded()
            return [0xb9, 0x00, bytes[0] & 0x1f] + bytes.dropFirst()
        }
        try expect([UInt8](forged.encodedBytes), utopia, deviates: [.nonPreferredEncoding])
    }

    @Test func taggedSignature() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.change("issuerAuth") { $0 = .tagged(18, $0) }
        try expect(credential.encoded(), utopia, deviates: [.taggedCOSE])
    }

    @Test func anotherTagIsNoSignature() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.change("issuerAuth") { $0 = .tagged(98, $0) }
        let error = #expect(throws: MdocError.self) {
            try IssuerSigned(decoding: credential.encoded(), options: .deployed)
        }
        #expect(error?.code == .malformedCOSE)
        // Strict reading refuses any tag.
        let strict = #expect(throws: MdocError.self) { try IssuerSigned(decoding: credential.encoded()) }
        #expect(strict?.code == .deviation)
    }

    @Test func arrayOfOneCertificate() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.change("issuerAuth") { $0.change(1) { $0.change(33 as CBOR) { $0 = .array([$0]) } } }
        try expect(credential.encoded(), utopia, deviates: [.arrayOfOneCertificate])
    }

    @Test(
        arguments: [
            ("2026-05-27T20:26:40.123456789Z", [.fractionalSeconds]),
            ("2026-05-27T20:26:40.000Z", [.fractionalSeconds]),
            ("2026-05-27T22:26:40+02:00", [.timeZoneOffset]),
            ("2026-05-27T22:26:40.5+02:00", [.fractionalSeconds, .timeZoneOffset]),
        ] as [(String, Set<MdocTolerance>)]
    )
    func formsOfTime(_ text: String, tolerances: Set<MdocTolerance>) async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(options: MdocReadingOptions(tolerances: tolerances)) { object in
            object.change("validityInfo") { $0.set("signed", .tagged(0, .text(text))) }
        }
        try expect([UInt8](forged.encodedBytes), utopia, deviates: tolerances)
        let signed = forged.mobileSecurityObject.validityInfo.signed.timeIntervalSince1970
        #expect(Int(signed) == 1_779_913_600)
    }

    @Test func offsetsAreNotToleratedUnlessAskedFor() async throws {
        let utopia = try await Utopia()
        let error = await #expect(throws: MdocError.self) {
            try await utopia.licence(options: .deployed) { object in
                object.change("validityInfo") { $0.set("signed", .tagged(0, "2026-05-27T22:26:40+02:00")) }
            }
        }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: timeZoneOffset")
    }

    @Test(arguments: [CBOR.null, .undefined])
    func optionalMembersWithoutAValue(_ nothing: CBOR) async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(options: .deployed) { object in
            object.set("status", nothing)
            object.change("validityInfo") { $0.set("expectedUpdate", nothing) }
        }
        try expect([UInt8](forged.encodedBytes), utopia, deviates: [.nullForAbsent])
        // It names no list, which differs from an absent status.
        #expect(forged.mobileSecurityObject.status == MobileSecurityObject.Status())
        #expect(forged.mobileSecurityObject.validityInfo.expectedUpdate == nil)
        #expect(forged.deviations.count == 2)
        let error = await #expect(throws: MdocError.self) {
            try await utopia.licence(options: .deployed) { object in
                object.change("validityInfo") { $0.set("validUntil", nothing) }
            }
        }
        #expect(error?.code == .unexpectedType)
    }

    /// The issuer's COSE_Sign1 in another form.
    private func signed(
        _ utopia: Utopia,
        _ algorithm: COSEAlgorithm = .es256,
        protected: COSEHeaderMap = [:],
        unprotected: COSEHeaderMap = [:]
    ) async throws -> [UInt8] {
        let licence = try await utopia.licence()
        var headers = protected
        headers[.alg] = .integer(algorithm.rawValue)
        let issuerAuth = try await COSESign1.sign(
            [UInt8](licence.mobileSecurityObject.taggedBytes),
            headers: COSEHeaders(protected: headers, unprotected: unprotected),
            with: SoftwareSigner(utopia.documentSignerKey)
        )
        var credential = try CBOR(decoding: [UInt8](licence.encodedBytes))
        try credential.change("issuerAuth") { $0 = try CBOR(decoding: issuerAuth.encoded(tagged: false)) }
        return credential.encoded()
    }

    private func chain(_ certificates: Certificate...) -> COSEHeaderMap {
        [.x5chain: COSEHeaderMap.certificates(certificates.map(\.derBytes))]
    }

    @Test func chainInTheProtectedHeader() async throws {
        let utopia = try await Utopia()
        let bytes = try await signed(utopia, protected: chain(utopia.documentSigner))
        try expect(bytes, utopia, deviates: [.protectedX5chain])
    }

    @Test func rootAtTheEndOfTheChain() async throws {
        let utopia = try await Utopia()
        let bytes = try await signed(utopia, unprotected: chain(utopia.documentSigner, utopia.iaca.certificate))
        try expect(bytes, utopia, deviates: [.rootInX5chain])
        // It is ignored: its presence creates no trust.
        let verifier = MdocVerifier(trustAnchors: [], clock: { Utopia.now })
        guard let failure = verifier.verifyForStorage(try IssuerSigned(decoding: bytes, options: .deployed)).failure
        else {
            Issue.record("verified")
            return
        }
        #expect(failure.reason == .issuerNotTrusted)
    }

    @Test func fullySpecifiedAlgorithm() async throws {
        let utopia = try await Utopia()
        let bytes = try await signed(utopia, .esp256, unprotected: chain(utopia.documentSigner))
        try expect(bytes, utopia, deviates: [.fullySpecifiedAlgorithm])
    }

    @Test func fullySpecifiedAlgorithmOnABrainpoolCurve() async throws {
        let utopia = try await Utopia.make(signerCurve: .brainpoolP256r1)
        let bytes = try await signed(utopia, .esb256, unprotected: chain(utopia.documentSigner))
        try expect(bytes, utopia, deviates: [.fullySpecifiedAlgorithm])
    }

    @Test func formsOfReadersSignatures() async throws {
        let utopia = try await Utopia()
        let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        let authentication = ReaderAuthentication(sessionTranscript: utopia.transcript, itemsRequest: items)
        for (algorithm, isProtected, hasRoot, tolerance) in [
            (.es256, false, false, nil), (.es256, true, false, .protectedX5chain),
            // Only an issuer leaves the root out (B.1.1).
            (.es256, false, true, nil),
            (.esp256, false, false, .fullySpecifiedAlgorithm),
        ] as [(COSEAlgorithm, Bool, Bool, MdocTolerance?)] {
            let certificates = [utopia.reader] + (hasRoot ? [utopia.readerAuthority.certificate] : [])
            let chain: COSEHeaderMap = [.x5chain: COSEHeaderMap.certificates(certificates.map(\.derBytes))]
            var protected: COSEHeaderMap = isProtected ? chain : [:]
            protected[.alg] = .integer(algorithm.rawValue)
            let readerAuth = try await COSESign1.sign(
                authentication.taggedBytes,
                detached: true,
                headers: COSEHeaders(protected: protected, unprotected: isProtected ? [:] : chain),
                with: SoftwareSigner(utopia.readerKey)
            )
            let request = try DeviceRequest(docRequests: [DocRequest(items, readerAuth: readerAuth)])
            let bytes = [UInt8](request.encodedBytes)
            let read = try DeviceRequest(decoding: bytes, options: .deployed)
            #expect(read.deviations.map(\.tolerance) == (tolerance.map { [$0] } ?? []))
            if let tolerance {
                let error = #expect(throws: MdocError.self) { try DeviceRequest(decoding: bytes) }
                #expect(error?.code == .deviation)
                #expect(error?.message == "not tolerated: \(tolerance)")
            } else {
                #expect(try DeviceRequest(decoding: bytes).deviations.isEmpty)
            }
            let verifier = ReaderAuthenticationVerifier(
                trustAnchors: [utopia.readerAuthority.certificate],
                clock: { Utopia.now }
            )
            let verification = verifier.verify(read, sessionTranscript: utopia.transcript)
            #expect(verification.parties.count == 1)
            let reported = read.deviations.map(\.description)
            #expect(verification.deviations.map(\.description) == reported)
            #expect(verification.docRequests[0]?.deviations.map(\.description) == reported)
        }
    }

    @Test func nameSpaceWithoutItems() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.change("nameSpaces") { $0.set("org.example.empty", .array([])) }
        try expect(credential.encoded(), utopia, deviates: [.emptyNameSpace])
        let read = try IssuerSigned(decoding: credential.encoded(), options: .deployed)
        #expect(read["org.example.empty"].isEmpty)
        #expect(read["org.example.empty", "a"] == nil)
        // A wallet's presentation of it conforms to the standard.
        let presented = try read.limitDisclosures { _ in true }
        #expect(presented.deviations.isEmpty)
        #expect(presented.nameSpaces.count == read.nameSpaces.count - 1)
    }

    @Test(arguments: ["signed", "validFrom", "validUntil"])
    func timeWithoutItsTag(_ member: String) async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(options: .deployed) { object in
            object.change("validityInfo") { info in
                info.change(.text(member)) { time in
                    if case .tagged(0, let text) = time { time = text }
                }
            }
        }
        try expect([UInt8](forged.encodedBytes), utopia, deviates: [.untaggedDate])
        #expect(forged.mobileSecurityObject.validityInfo == Utopia.validity)
        let error = await #expect(throws: MdocError.self) {
            try await utopia.licence(options: .deployed) { object in
                object.change("validityInfo") { $0.set(.text(member), "yesterday") }
            }
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func dayWithoutItsTag() throws {
        let view = try CBORDocument(CBOR.text("2020-10-01").encoded()).root
        #expect(try FullDate(dataElement: view, options: .deployed).description == "2020-10-01")
        let error = #expect(throws: MdocError.self) { try FullDate(dataElement: view) }
        #expect(error?.code == .deviation)
    }

    @Test func signedAfterTheValidityBegins() async throws {
        let utopia = try await Utopia()
        let start = Utopia.validity.validFrom
        for (signed, deviates) in [(start - 3600, false), (start, false), (start + 1, true)] {
            let text = signed.formatted(Date.ISO8601FormatStyle())
            let forged = try await utopia.licence(options: .deployed) { object in
                object.change("validityInfo") { $0.set("signed", .tagged(0, .text(text))) }
            }
            if deviates {
                try expect([UInt8](forged.encodedBytes), utopia, deviates: [.signedAfterValidFrom])
            } else {
                #expect(try IssuerSigned(decoding: [UInt8](forged.encodedBytes)).deviations.isEmpty)
            }
        }
    }

    @Test func textForTheIDOfAKey() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(options: .deployed) { object in
            object.change("deviceKeyInfo") { info in
                info.change("deviceKey") { key in
                    key.set(2, "key-1")
                    key.set(3, -7)
                    key.set(4, [2])
                }
            }
        }
        try expect([UInt8](forged.encodedBytes), utopia, deviates: [.textKeyID])
        let key = forged.mobileSecurityObject.deviceKeyInfo.deviceKey
        #expect(try key.publicKey() == utopia.deviceKey.publicKey)
        #expect(key.keyID == nil)
        // The key keeps its restrictions without its name.
        #expect(key.algorithm == .es256)
        #expect(key.keyOperations == [.verify])
        let error = await #expect(throws: MdocError.self) {
            try await utopia.licence(options: .deployed) { object in
                object.change("deviceKeyInfo") { info in
                    info.change("deviceKey") { key in
                        key.set(2, "key-1")
                        key.set(1, nil)
                    }
                }
            }
        }
        #expect(error?.code == .malformedCOSE)
    }

    @Test func textForTheIdentifierInAList() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(options: .deployed) { object in
            object.set("status", ["identifier_list": ["id": "7\u{e9}", "uri": "https://example.org/list"]])
        }
        try expect([UInt8](forged.encodedBytes), utopia, deviates: [.textIdentifier])
        #expect(forged.mobileSecurityObject.status?.identifierList?.identifier == [0x37, 0xc3, 0xa9])
    }

    /// A licence with one element, whose digest has a number of the caller's choice.
    private func licence(digestID: UInt64, _ utopia: Utopia) async throws -> [UInt8] {
        let item: CBOR = [
            "digestID": .unsigned(digestID), "random": .bytes([UInt8](repeating: 7, count: 32)),
            "elementIdentifier": "family_name", "elementValue": "Doe",
        ]
        let bytes = CBOR.tagged(24, .bytes(item.encoded()))
        let digest = HashAlgorithm.sha256.digest(of: bytes.encoded())
        let forged = try await utopia.licence(options: .deployed) { object in
            object.set("valueDigests", ["org.iso.18013.5.1": .map([.unsigned(digestID): .bytes(digest)])])
        }
        var credential = try CBOR(decoding: [UInt8](forged.encodedBytes))
        credential.set("nameSpaces", ["org.iso.18013.5.1": [bytes]])
        return credential.encoded()
    }

    @Test(arguments: [0x8000_0000, 0xffff_ffff] as [UInt64])
    func numbersOfDigestsThatAreLarge(_ digestID: UInt64) async throws {
        let utopia = try await Utopia()
        let bytes = try await licence(digestID: digestID, utopia)
        try expect(bytes, utopia, deviates: [.largeDigestID])
        let refusal = #expect(throws: MdocError.self) { try IssuerSigned(decoding: bytes) }
        let rule = "a digestID must be below 2^31 (ISO/IEC 18013-5, 9.1.2.4; second edition, 12.3.4)"
        #expect(refusal?.description.contains(rule) == true, "\(String(describing: refusal))")
        let credential = try IssuerSigned(decoding: bytes, options: .deployed)
        #expect(credential[.mDL, "family_name"]?.digestID.value == UInt32(exactly: digestID))
        let digests = credential.mobileSecurityObject.valueDigests[.mDL]
        #expect(digests.map { UInt64($0.digestID.value) } == [digestID])
        #expect(credential.deviations.count == 2)
    }

    /// There is room for a million of them in a message: all are read, and one place stands for them.
    @Test func manyLargeNumbersOfDigestsAreOneDeviation() async throws {
        let utopia = try await Utopia()
        let many = CBOR.map([0x8000_0000: .bytes([]), 0x8000_0001: .bytes([])])
        let forged = try await utopia.licence(options: .deployed) { object in
            object.set("valueDigests", ["a": many, "b": many])
        }
        #expect(forged.deviations.map(\.tolerance) == [.largeDigestID])
        let error = await #expect(throws: MdocError.self) {
            let mixed = CBOR.map([0x8000_0000: .bytes([]), 0x1_0000_0000: .bytes([])])
            return try await utopia.licence(options: .deployed) { object in
                object.set("valueDigests", ["a": many, "b": mixed])
            }
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func numbersOfDigestsAtTheBounds() async throws {
        let utopia = try await Utopia()
        let bytes = try await licence(digestID: 0x7fff_ffff, utopia)
        #expect(try IssuerSigned(decoding: bytes).deviations.isEmpty)
        let error = await #expect(throws: MdocError.self) { try await licence(digestID: 0x1_0000_0000, utopia) }
        #expect(error?.code == .invalidValue)
    }

    @Test(arguments: [CBOR.tagged(1004, "2020-10-01"), .tagged(0, "2020-10-01T13:30:02Z")])
    func dayOfAProof(_ timestamp: CBOR) throws {
        let data: CBOR = ["docType": "org.iso.18013.5.1.mDL", "zkSystemId": "s", "timestamp": timestamp]
        let message: CBOR = [
            "version": "1.0", "status": 0,
            "zkDocuments": [["documentData": .tagged(24, .bytes(data.encoded())), "proof": .bytes([1, 2])]],
        ]
        let response = try DeviceResponse(decoding: message.encoded(), options: .deployed)
        let document = try #require(response.zkDocuments.first)
        #expect(document.timestamp == CBORDate(year: 2020, month: 10, day: 1))
        #expect(document.docType == .mDL)
        #expect(document.zkSystemID == "s")
        #expect([UInt8](document.documentDataBytes) == CBOR.tagged(24, .bytes(data.encoded())).encoded())
        #expect([UInt8](document.proof) == [1, 2])
        let isDay = timestamp == .tagged(1004, "2020-10-01")
        #expect(response.deviations.map(\.tolerance) == (isDay ? [] : [.tdateForFullDate]))
        guard !isDay else { return }
        let strict = try DeviceResponse(decoding: message.encoded())
        let error = try #require(strict.unreadableZkDocuments.first).error
        #expect(strict.zkDocuments.isEmpty && error.code == .deviation)
        #expect(error.message == "not tolerated: tdateForFullDate")
    }

    /// A response of equal documents, each with six items of indefinite length.
    private func deviatingResponse(documents count: Int) async throws -> DeviceResponse {
        let utopia = try await Utopia()
        let response = try await utopia.presentation(options: .deployed) { document in
            try document.change("issuerSigned") { issuerSigned in
                try issuerSigned.change("nameSpaces") { nameSpaces in
                    try nameSpaces.change("org.iso.18013.5.1") { items in
                        for index in 0..<6 {
                            try items.change(index) { item in
                                guard case .tagged(24, .bytes(let bytes)) = item else { return }
                                try #require(bytes[0] == 0xa4)
                                item = .tagged(24, .bytes([0xbf] + bytes.dropFirst() + [0xff]))
                            }
                        }
                    }
                }
            }
        }
        var message = try CBOR(decoding: [UInt8](response.encodedBytes))
        message.change("documents") { documents in
            guard case .array(let elements) = documents else { return }
            documents = .array([CBOR](repeating: elements[0], count: count))
        }
        return try DeviceResponse(decoding: message.encoded(), options: .deployed)
    }

    /// A forged message can have very many deviations: a few places are listed, for each document separately.
    @Test func fewPlacesAreListedOfOneDeviation() async throws {
        let twice = try await deviatingResponse(documents: 2)
        #expect(twice.documents.count == 2)
        for document in twice.documents {
            #expect(document.deviations.map(\.tolerance) == [MdocTolerance](repeating: .indefiniteLength, count: 4))
            let place = "documents[\(document.index)].issuerSigned.nameSpaces"
            #expect(document.deviations.allSatisfy { "\($0.path)".hasPrefix(place) }, "\(document.deviations)")
        }
        #expect(twice.deviations.count == 8)
    }

    /// In a message with very many places, every document still reports each deviation once.
    @Test func onePlaceIsListedInEachDocumentOfMany() async throws {
        let many = try await deviatingResponse(documents: 64)
        let counts = many.documents.map(\.deviations.count)
        #expect(counts == [Int](repeating: 4, count: 16) + [Int](repeating: 1, count: 48))
        #expect(many.deviations.count == 112)
    }

    @Test func everyDeviationOfAResponseIsReportedWithItsPlace() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.presentation(options: .deployed) { document in
            document.change("deviceSigned") { deviceSigned in
                deviceSigned.change("deviceAuth") { $0.change("deviceSignature") { $0 = .tagged(18, $0) } }
            }
            document.change("issuerSigned") { $0.change("issuerAuth") { $0 = .tagged(18, $0) } }
        }
        let verification = try await utopia.verify(response)
        let document = try #require(verification.documents.first)
        #expect(document.verified != nil, "\(document.checks)")
        #expect(
            document.deviations.map(\.description) == [
                "taggedCOSE in documents[0].issuerSigned.issuerAuth",
                "taggedCOSE in documents[0].deviceSigned.deviceAuth.deviceSignature",
            ]
        )
        #expect(verification.deviations == document.deviations)
    }
}
