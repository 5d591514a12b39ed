import CBORKit
import CredentialTesting
import CryptoCore
import JSONKit
import MdocElements
import MdocKit
import MdocProximity
import Testing

/// Every tolerance in every message that can need it: strict reading refuses, the tolerance alone lets it pass, and the
/// result reports exactly that deviation.
@Suite struct ToleranceTableTests {
    private func refusal(_ read: () throws -> Void) -> String? {
        let error = #expect(throws: MdocError.self) { try read() }
        #expect(error?.code == .deviation)
        return error?.message
    }

    @Test func nothingIsToleratedWithoutAName() {
        #expect(MdocReadingOptions.strict.tolerances.isEmpty)
        #expect(MdocReadingOptions().tolerances.isEmpty)
        #expect(MdocReadingOptions.deployed.tolerances == .deployed)
    }

    /// The tolerances without a row have a test that is named here.
    @Test func everyToleranceIsInTheTable() {
        let rows = ToleratedForm.credentials + ToleratedForm.requests + ToleratedForm.engagements
        let others: Set<MdocTolerance> = [
            // IssuerRefusalTests.elementInAnotherCaseThanTheCertificate
            .countryCase,
            // NFCHandoverRefusalTests.severalCarriersUnderOneID
            .repeatedCarrierID,
            // paddedLinks
            .paddedURI,
            // dayOfAProof, valuesOfElements
            .tdateForFullDate,
        ]
        #expect(Set(rows.map(\.tolerance)).union(others) == MdocTolerance.ofMessages)
    }

    @Test(arguments: ToleratedForm.credentials)
    func credentials(_ form: ToleratedForm) async throws {
        let utopia = try await Utopia()
        let bytes = try await form.make(utopia)
        #expect(refusal { _ = try IssuerSigned(decoding: bytes) } == form.refusal)
        #expect(refusal { _ = try IssuerSigned(decoding: bytes, options: form.otherOptions) } == form.refusal)

        let credential = try IssuerSigned(decoding: bytes, options: form.options)
        #expect(credential.encodedBytes == bytes[...])
        // A status without a reachable list is unknown, whatever form it has.
        let verifier = utopia.verifier().withStatusPolicy(.waived)
        let stored = verifier.verifyForStorage(credential)
        let verified = try #require(stored.verified, "\(stored.checks)")
        for verification in [
            stored, await verifier.verify(credential), await verifier.verifyRevocation(of: verified),
        ] {
            #expect(verification.verified != nil, "\(verification.checks)")
            #expect(verification.deviations.map(\.description) == form.deviations())
        }
    }

    @Test(arguments: ToleratedForm.credentials)
    func documentsOfAResponse(_ form: ToleratedForm) async throws {
        let utopia = try await Utopia()
        let credential = try IssuerSigned(decoding: try await form.make(utopia), options: form.options)
        let bytes = [UInt8](try await utopia.present(credential).encodedBytes)
        for options in [.strict, form.otherOptions] {
            let response: DeviceResponse
            do throws(MdocError) {
                response = try DeviceResponse(decoding: bytes, options: options)
            } catch {
                // A deviation of the whole message refuses all of it.
                #expect(error.code == .deviation && error.message == form.refusal)
                continue
            }
            let strict = try await utopia.verify(response)
            #expect(strict.verified == nil)
            let document = try #require(strict.documents.first)
            #expect(document.refusal?.reason == .malformed)
            #expect(document.refusal?.message.contains(form.refusal) == true, "\(document.checks)")
        }

        let response = try DeviceResponse(decoding: bytes, options: form.options)
        let verification = try await utopia.verify(response, with: utopia.verifier().withStatusPolicy(.waived))
        #expect(verification.verified != nil, "\(verification.checks)")
        let expected = form.deviations(within: "documents[0].issuerSigned")
        #expect(verification.deviations.map(\.description) == expected)
        // A part of a document can be verified by itself, and keeps its deviations.
        let part = try #require(response.documents.first).issuerSigned
        let ofThePart = await utopia.verifier().withStatusPolicy(.waived).verify(part).deviations
        let ofTheDocument = try #require(verification.documents.first).deviations
        #expect(ofThePart == ofTheDocument)
        if ![.nonPreferredEncoding, .indefiniteLength].contains(form.tolerance) {
            #expect(ofTheDocument.map(\.description) == expected)
        }
    }

    @Test(arguments: ToleratedForm.credentials)
    func selectedElements(_ form: ToleratedForm) async throws {
        let utopia = try await Utopia()
        let credential = try IssuerSigned(decoding: try await form.make(utopia), options: form.options)
        let selected = try credential.limitDisclosures { $0.identifier == "family_name" }
        // What the wallet writes around the selected items is in the form of the standard.
        let isAround = [.nonPreferredEncoding, .indefiniteLength, .emptyNameSpace].contains(form.tolerance)
        #expect(selected.deviations.map(\.description) == (isAround ? [] : form.deviations()))
    }

    @Test(arguments: ToleratedForm.requests)
    func requests(_ form: ToleratedForm) async throws {
        let utopia = try await Utopia()
        let bytes = try await form.make(utopia)
        #expect(refusal { _ = try DeviceRequest(decoding: bytes) } == form.refusal)
        #expect(refusal { _ = try DeviceRequest(decoding: bytes, options: form.otherOptions) } == form.refusal)

        let request = try DeviceRequest(decoding: bytes, options: form.options)
        #expect(request.deviations.map(\.description) == form.deviations())
        let verifier = ReaderAuthenticationVerifier(
            trustAnchors: [utopia.readerAuthority.certificate],
            clock: { Utopia.now }
        )
        let verification = verifier.verify(request, sessionTranscript: utopia.transcript)
        #expect(verification.parties.count == 1)
        #expect(verification.deviations.map(\.description) == form.deviations())
        let reader = try #require(verification.docRequests[0])
        #expect(reader.verified != nil, "\(reader.checks)")
        let isOfTheReader = form.places.allSatisfy { $0.hasPrefix("docRequests[0]") }
        #expect(reader.deviations.map(\.description) == (isOfTheReader ? form.deviations() : []))
    }

    /// At most four places are listed of one tolerance, in each document request anew.
    @Test func everyDocumentRequestHasItsOwnDeviations() async throws {
        let utopia = try await Utopia()
        let form = try #require(ToleratedForm.requests.first { $0.tolerance == .taggedCOSE })
        var message = try CBOR(decoding: await form.make(utopia))
        message.change("docRequests") { requests in
            guard case .array(let members) = requests else { return }
            requests = .array((0..<6).flatMap { _ in members })
        }
        let request = try DeviceRequest(decoding: message.encoded(), options: form.options)
        #expect(request.deviations.count == 6)
        let verifier = ReaderAuthenticationVerifier(
            trustAnchors: [utopia.readerAuthority.certificate],
            clock: { Utopia.now }
        )
        let verification = verifier.verify(request, sessionTranscript: utopia.transcript)
        for (index, reader) in verification.docRequests.enumerated() {
            #expect(reader?.deviations.map(\.description) == ["taggedCOSE in docRequests[\(index)].readerAuth"])
        }
    }

    @Test func signaturesOverTheWholeRequest() async throws {
        let utopia = try await Utopia()
        let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        let authentication = ReaderAuthentication(
            sessionTranscript: utopia.transcript,
            allOf: [items],
            deviceRequestInfo: nil
        )
        let readerAuth = try await UnsignedReaderAuth(authentication, x5chain: [utopia.reader])
            .signed(with: SoftwareSigner(utopia.readerKey))
        let signed = try DeviceRequest(docRequests: [DocRequest(items)], readerAuthAll: [readerAuth])
        var message = try CBOR(decoding: [UInt8](signed.encodedBytes))
        message.change("readerAuthAll") { $0.change(0) { $0 = .tagged(18, $0) } }
        #expect(refusal { _ = try DeviceRequest(decoding: message.encoded()) } == "not tolerated: taggedCOSE")
        let request = try DeviceRequest(decoding: message.encoded(), options: .deployed)
        let verifier = ReaderAuthenticationVerifier(
            trustAnchors: [utopia.readerAuthority.certificate],
            clock: { Utopia.now }
        )
        let verification = verifier.verify(request, sessionTranscript: utopia.transcript)
        #expect(verification.all.first?.verified != nil)
        #expect(verification.all.first?.deviations.map(\.description) == ["taggedCOSE in readerAuthAll[0]"])
        #expect(verification.deviations.map(\.description) == ["taggedCOSE in readerAuthAll[0]"])
    }

    @Test(arguments: ToleratedForm.engagements)
    func engagements(_ form: ToleratedForm) async throws {
        let bytes = try await form.make(Utopia())
        let uri = "mdoc:" + JSONBase64.base64url.encode(bytes)
        #expect(refusal { _ = try DeviceEngagement(uri: uri) } == form.refusal)
        #expect(refusal { _ = try DeviceEngagement(uri: uri, options: form.otherOptions) } == form.refusal)

        let engagement = try DeviceEngagement(uri: uri, options: form.options)
        #expect(engagement.deviations.map(\.description) == form.deviations())
        #expect([UInt8](engagement.encodedBytes) == bytes)
        let key = try PrivateKey.generate(.p256)
        let machine = try await ReaderSessionMachine(engagement: engagement, readerKey: key)
        #expect(machine.deviations.map(\.description) == form.deviations(within: "deviceEngagement"))
    }

    @Test func paddedLinks() throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let links = try (1...3).map { length in
            try ReaderEngagement(
                eReaderKey: key,
                uri: "https://a.example/" + String(repeating: "a", count: length)
            ).link
        }
        let link = try #require(links.first { ($0.utf8.count - 7) % 4 != 0 })
        let padded = link + String(repeating: "=", count: 4 - (link.utf8.count - 7) % 4)
        #expect(refusal { _ = try ReaderEngagement(link: padded) } == "not tolerated: paddedURI")
        let read = try ReaderEngagement(link: padded, options: .deployed)
        #expect(read.deviations.map(\.description) == ["paddedURI"])
        #expect(try ReaderEngagement(link: link, options: .deployed).deviations.isEmpty)
    }

    @Test func transcripts() async throws {
        let utopia = try await Utopia()
        let tolerated = [0x9f] + utopia.transcript.encodedBytes.dropFirst() + [0xff]
        #expect(refusal { _ = try SessionTranscript(decoding: tolerated) } == "not tolerated: indefiniteLength")
        let transcript = try SessionTranscript(decoding: tolerated, options: .deployed)
        #expect(transcript.deviations.map(\.description) == ["indefiniteLength"])
        #expect(transcript.encodedBytes == tolerated)
        #expect(transcript != utopia.transcript)
        let prepared = try await PreparedMdocDocument(utopia.licence(), sessionTranscript: transcript)
        let response = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(utopia.deviceKey))])
        let verification = await utopia.verifier().verify(response, sessionTranscript: transcript)
        #expect(verification.verified != nil, "\(verification.checks)")
        #expect(verification.deviations.map(\.description) == ["indefiniteLength in sessionTranscript"])
        let readers = ReaderAuthenticationVerifier(trustAnchors: [], clock: { Utopia.now })
            .verify(try SessionFixture.request(), sessionTranscript: transcript)
        #expect(readers.deviations.map(\.description) == ["indefiniteLength in sessionTranscript"])
    }

    @Test(
        arguments: [
            (.text("1990-05-15"), .untaggedDate), (.tagged(0, "1990-05-15T00:00:00Z"), .tdateForFullDate),
        ] as [(CBOR, MdocTolerance)]
    )
    func valuesOfElements(_ value: CBOR, _ tolerance: MdocTolerance) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        try builder.add(value, as: "issue_date", in: .mDL)
        try builder.add([["vehicle_category_code": "B", "issue_date": value]], as: "driving_privileges", in: .mDL)
        let licence = try await utopia.issue(builder)
        let document = try #require(try await utopia.verify(utopia.present(licence)).verifiedDocuments.first)
        #expect(
            refusal { _ = try document.read("issue_date", in: .mDL, as: FullDate.self) }
                == "not tolerated: \(tolerance)"
        )
        var reading = DataElementReading(options: MdocReadingOptions(tolerances: [tolerance]))
        let day = try document.read("issue_date", in: .mDL, as: FullDate.self, reading: &reading)
        #expect(day == FullDate("1990-05-15"))
        let privileges = try document.read(
            "driving_privileges",
            in: .mDL,
            as: [DrivingPrivilege].self,
            reading: &reading
        )
        #expect(privileges?.first?.issueDate == day)
        _ = try licence[.mDL, "issue_date"]?.read(as: FullDate.self, reading: &reading)
        #expect(reading.deviations.map(\.tolerance) == [tolerance, tolerance, tolerance])
    }
}
