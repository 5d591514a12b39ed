import CBORKit
import COSEKit
import CredentialTransport
import CryptoCore
import JSONKit
import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct WebsiteRetrievalTests {
    private static let uri = "https://reader.example/session/1"
    private static let domain = "reader.example"

    private func website(curve: EllipticCurve = .p256, acceptsUnknownDomain: Bool = false) throws -> EngagedWebsite {
        try EngagedWebsite(
            uri: Self.uri,
            domain: Self.domain,
            acceptsUnknownDomain: acceptsUnknownDomain,
            curve: curve
        )
    }

    private func visitor(
        _ website: borrowing EngagedWebsite,
        domain: String = Self.domain,
        curves: [EllipticCurve] = [.p256],
        capabilities: EngagementCapabilities? = nil
    ) throws -> WebsiteVisitor {
        try WebsiteVisitor(
            link: website.engagement.link,
            domain: domain,
            curves: curves,
            capabilities: capabilities
        )
    }

    @Test(
        arguments: [
            (EllipticCurve.p256, [EllipticCurve.p256], false), (.p384, [.p256, .p384], false), (.p384, [.p256], true),
            (.x25519, [.p521], true), (.p256, [], false),
        ] as [(EllipticCurve, [EllipticCurve], Bool)]
    )
    func severalRequests(_ websiteCurve: EllipticCurve, _ walletCurves: [EllipticCurve], _ isNewKey: Bool) async throws
    {
        let website = try website(curve: websiteCurve)
        let visitor = try visitor(website, curves: walletCurves)
        let readerEngagementBytes = website.engagement.taggedBytes
        let uri = visitor.uri
        #expect(uri == Self.uri)
        let session = try await website.receive(visitor.message)
        let transcript = session.machine.sessionTranscript
        let readerKey = session.readerKey.publicKey
        var reader = session.takeMachine()
        let (first, request) = try reader.request(SessionFixture.request("a"))
        let hasKey = (try? SessionEstablishment(decoding: request)) != nil
        #expect(hasKey == isNewKey)
        var wallet = try Self.machine(await visitor.receive(request))
        let walletTranscript = wallet.sessionTranscript
        let eReaderKey = wallet.eReaderKey
        #expect(walletTranscript == transcript)
        #expect(eReaderKey == readerKey)
        let digest = HashAlgorithm.sha256.digest(of: readerEngagementBytes)
        #expect(transcript.handover.encodedBytes == CBOR.bytes(digest).encoded())

        guard case .send(let answer)? = try wallet.respond([1]).first else {
            return #expect(Bool(false), "nothing sent")
        }
        let effects = reader.receive(answer)
        #expect(effects == [.response([1], to: first)])
        let (_, again) = try reader.request(SessionFixture.request("b"))
        let second = wallet.receive(again)
        #expect(try second == [.request([UInt8](SessionFixture.request("b").encodedBytes))])
    }

    /// The session that an answer established with the request for `a`.
    private static func machine(_ establishment: consuming EngagedDevice.Establishment) throws -> DeviceSessionMachine {
        switch consume establishment {
        case .established(let machine, let request):
            #expect(try request == [UInt8](SessionFixture.request("a").encodedBytes))
            return machine
        case .ended(let termination, _):
            throw MdocError(.sessionEnded, termination.description)
        }
    }

    @Test(arguments: ["other.example", "", "reader.example.attacker.example", "sub.reader.example"])
    func walletsThatCameFromElsewhere(_ domain: String) async throws {
        let website = try website()
        let visitor = try visitor(website, domain: domain)
        let message = visitor.message
        var refusal: MdocError?
        do throws(MdocError) { _ = try await website.receive(message) } catch { refusal = error }
        #expect(refusal?.code == .originMismatch)
    }

    @Test func domainsAreComparedWithoutTheirCase() async throws {
        let website = try website()
        let message = try visitor(website, domain: "Reader.Example").message
        let session = try await website.receive(message)
        let holdsKeys = session.machine.holdsKeys
        #expect(holdsKeys)
    }

    @Test func aWalletThatDoesNotKnowWhereItCameFrom() async throws {
        let tolerant = try website(acceptsUnknownDomain: true)
        let message = try visitor(tolerant, domain: "").message
        let session = try await tolerant.receive(message)
        let holdsKeys = session.machine.holdsKeys
        #expect(holdsKeys)
        let other = try website(acceptsUnknownDomain: true)
        let foreign = try visitor(other, domain: "other.example").message
        var refusal: MdocError?
        do throws(MdocError) { _ = try await other.receive(foreign) } catch { refusal = error }
        #expect(refusal?.code == .originMismatch)
    }

    /// One right domain does not make up for a wrong one.
    @Test func everyNamedDomainCounts() async throws {
        let key = try PrivateKey.generate(.p256)
        for (origins, isGood) in [
            ([OriginInfo.website(domain: Self.domain)], true),
            ([.website(domain: Self.domain), .website(domain: "other.example")], false), ([], false),
        ] {
            let website = try website()
            let engagement = try DeviceEngagement(
                eDeviceKey: key.publicKey,
                retrievalMethods: [],
                originInfos: origins
            )
            let message: CBOR = ["deviceEngagementBytes": try CBOR(decoding: engagement.taggedBytes)]
            var refusal: MdocError?
            do throws(MdocError) { _ = try await website.receive(message.encoded()) } catch { refusal = error }
            #expect(refusal?.code == (isGood ? nil : .originMismatch))
        }
    }

    @Test func macKeysOnlyWhereTheWalletTakesThem() async throws {
        let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        let macKey = try COSEKey(publicKey: PrivateKey.generate(.p256).publicKey)
        let request = try DeviceRequest(docRequests: [DocRequest(items)], macKeys: [macKey])
        for isSupported in [false, true] {
            var capabilities = EngagementCapabilities()
            capabilities.macKeysSupport = isSupported
            let website = try website()
            let message = try visitor(website, capabilities: capabilities).message
            let session = try await website.receive(message)
            var reader = session.takeMachine()
            var refusal: MdocError?
            do throws(MdocError) { _ = try reader.request(request) } catch { refusal = error }
            #expect(refusal?.code == (isSupported ? nil : .invalidValue))
        }
    }

    @Test(arguments: [[0xff], [0xa0], [0x80], [], [0xa1, 0x61, 0x61, 0x01]] as [[UInt8]])
    func refusesMalformedFirstMessages(_ body: [UInt8]) async throws {
        let website = try website()
        var refusal: MdocError?
        do throws(MdocError) { _ = try await website.receive(body) } catch { refusal = error }
        #expect(refusal != nil)
    }

    @Test func theEngagementIsTakenByteForByte() async throws {
        let website = try website()
        let readerKey = try website.engagement.eReaderKey.publicKey()
        let shown = try visitor(website)
        var value = try CBOR(decoding: [UInt8](shown.deviceEngagement.encodedBytes))
        value.set(-7, "an extension")
        let message: CBOR = ["deviceEngagementBytes": .tagged(24, .bytes(value.encoded()))]
        let session = try await website.receive(message.encoded())
        let transcript = session.machine.sessionTranscript
        #expect(transcript.deviceEngagementBytes == CBOR.tagged(24, .bytes(value.encoded())).encoded())
        #expect(try transcript.eReaderKeyBytes == SessionEstablishment.eReaderKeyBytes(for: readerKey))
    }
}

extension WebsiteRetrievalTests {
    /// The result of an answer to the wallet's engagement.
    private func outcome(
        websiteCurve: EllipticCurve = .p256,
        _ answer: (ReaderSessionMachine.RequestID, [UInt8]) throws -> [UInt8]
    ) async throws -> String {
        let website = try website(curve: websiteCurve)
        let visitor = try visitor(website)
        let session = try await website.receive(visitor.message)
        var reader = session.takeMachine()
        let (id, request) = try reader.request(SessionFixture.request())
        switch await visitor.receive(try answer(id, request)) {
        case .established: return "established"
        case .ended(let termination, let reply):
            let status = try reply.map { try SessionData(decoding: $0) }?.status?.rawValue
            return "\(termination.summary), reply \(status?.description ?? "-")"
        }
    }

    @Test func aNewKeyAlthoughTheCurvesAgree() async throws {
        let key = try SessionEstablishment.eReaderKeyBytes(for: PrivateKey.generate(.p256).publicKey)
        let outcome = try await outcome { _, request in
            let data = try #require(SessionData(decoding: request).data)
            return [UInt8](try SessionEstablishment(eReaderKeyBytes: key, data: [UInt8](data)).encodedBytes)
        }
        #expect(outcome == "thisSide 10, reply 10")
    }

    @Test func noNewKeyAlthoughTheCurvesDiffer() async throws {
        let outcome = try await outcome(websiteCurve: .p384) { _, request in
            SessionData(data: [UInt8](try SessionEstablishment(decoding: request).data)).encoded()
        }
        #expect(outcome == "thisSide 10, reply 10")
    }

    @Test func answersThatAreNoRequest() async throws {
        let good = try await outcome { $1 }
        #expect(good == "established")
        let cases: [(([UInt8]) -> [UInt8], String)] = [
            ({ _ in [] }, "thisSide 11, reply 11"),
            ({ _ in [0xa0] }, "thisSide 11, reply 11"),
            ({ Array($0.dropLast()) }, "thisSide 11, reply 11"),
            ({ $0.dropLast() + [$0[$0.count - 1] ^ 1] }, "thisSide 10, reply 10"),
            ({ _ in SessionData(status: .termination).encoded() }, "otherSide 20, reply -"),
            ({ _ in SessionData(status: .encryptionError).encoded() }, "otherSide 10, reply -"),
        ]
        for (change, expected) in cases {
            let outcome = try await outcome { change($1) }
            #expect(outcome == expected)
        }
    }

    @Test func damagedAnswers() async throws {
        var mutator = Mutator(seed: 9)
        for _ in 0..<200 {
            var isChanged = false
            let outcome = try await outcome { _, request in
                let bad = mutator.mutate(request)
                isChanged = bad != request
                return bad
            }
            #expect(isChanged ? !outcome.isEmpty : outcome == "established")
        }
    }

    @Test(arguments: ["mdoc://", "mdoc:AA", "https://reader.example", "mdoc://oA", ""])
    func refusesMalformedLinks(_ link: String) throws {
        var refusal: MdocError?
        do throws(MdocError) { _ = try WebsiteVisitor(link: link, domain: "") } catch { refusal = error }
        #expect(refusal != nil)
    }

    @Test func readerEngagements() throws {
        let website = try website()
        let engagement = try ReaderEngagement(link: website.engagement.link)
        #expect(engagement.link.hasPrefix("mdoc://"))
        #expect(engagement.version == .v1_1)
        #expect(engagement.uri == Self.uri)
        let key = try engagement.eReaderKey.publicKey()
        let expected: CBOR = [
            0: "1.1", 1: [1, .tagged(24, .bytes(try COSEKey(publicKey: key).encoded()))],
            2: [[4, 1, [0: .text(Self.uri)]]],
        ]
        #expect([UInt8](engagement.encodedBytes) == expected.encoded())
        let cases: [MemberChange] = [
            MemberChange(0, "2.0", .unsupportedVersion), MemberChange(0, nil, .missingMember),
            MemberChange(1, [2, .tagged(24, .bytes([0xa0]))], .invalidValue), MemberChange(1, [1], .invalidValue),
            MemberChange(2, [], .invalidValue), MemberChange(2, nil, .missingMember),
        ]
        for change in cases {
            let bytes = try change.applied(to: [UInt8](engagement.encodedBytes))
            let error = #expect(throws: MdocError.self) { try ReaderEngagement(decoding: bytes) }
            #expect(error?.code == change.code)
        }
        let elsewhere = try MemberChange(2, [[9, 1, [0: 1]]], .malformedURI)
            .applied(to: [UInt8](engagement.encodedBytes))
        let link = "mdoc://" + JSONBase64.base64url.encode(elsewhere)
        var refusal: MdocError?
        do throws(MdocError) { _ = try WebsiteVisitor(link: link, domain: "") } catch { refusal = error }
        #expect(refusal?.code == .malformedURI)
    }
}

/// A wallet and a website over HTTP.
@Suite struct WebsiteHolderSessionTests {
    /// The website's end: answers what is posted.
    private actor Server {
        private var website: EngagedWebsite?
        private var reader: ReaderSessionMachine?
        private var docTypes: [DocType]
        private(set) var log: [String] = []

        init(_ website: consuming EngagedWebsite, asking docTypes: [DocType]) {
            self.website = consume website
            self.docTypes = docTypes
        }

        func answer(_ body: [UInt8]) async throws -> [UInt8] {
            if let website = website.take() {
                reader = try await website.receive(body).takeMachine()
                return try next()
            }
            for effect in reader?.receive(body) ?? [] {
                switch effect {
                case .response(let response, _):
                    log.append("response \(try DeviceResponse(decoding: response).documentErrors.map(\.docType.text))")
                    if reader?.termination == nil { return try next() }
                case .ended(let termination): log.append("ended \(termination.summary)")
                case .send, .discardedResponse: break
                }
            }
            return []
        }

        private func next() throws -> [UInt8] {
            guard !docTypes.isEmpty else {
                let effects = reader?.terminate() ?? []
                for case .send(let message) in effects { return message }
                return []
            }
            return try reader?.request(SessionFixture.request(docTypes.removeFirst())).message ?? []
        }
    }

    private func sides(asking docTypes: [DocType]) throws -> (WebsiteHolderSession, Server) {
        let website = try EngagedWebsite(uri: "https://reader.example/1", domain: "reader.example")
        let visitor = try WebsiteVisitor(link: website.engagement.link, domain: "reader.example")
        let server = Server(website, asking: docTypes)
        let transport = InMemoryHTTPTransport { request async throws(TransportError) in
            do {
                return .ok(try await server.answer(request.body), type: try MediaType("application/cbor"))
            } catch {
                return InMemoryHTTPAnswer(status: 500)
            }
        }
        return (WebsiteHolderSession(visitor, over: transport), server)
    }

    private func answer(_ received: ReceivedDeviceRequest) throws -> DeviceResponse {
        let docType = try #require(received.request.docRequests.first).itemsRequest.docType
        return try DeviceResponse(documents: [], documentErrors: [(docType, .dataNotReturned)])
    }

    @Test func untilTheWebsiteEndsIt() async throws {
        let (session, server) = try sides(asking: ["a", "b"])
        var count = 0
        while let received = try await session.nextRequest() {
            try await session.respond(answer(received))
            count += 1
        }
        #expect(count == 2)
        #expect(await session.termination?.summary == "otherSide 20")
        #expect(await server.log == ["response [\"a\"]", "response [\"b\"]"])
        let error = await #expect(throws: MdocError.self) { try await session.respond(DeviceResponse(documents: [])) }
        #expect(error?.code == .sessionEnded)
    }

    @Test func theWalletEndsItWithItsResponse() async throws {
        let (session, server) = try sides(asking: ["a", "b"])
        let received = try #require(try await session.nextRequest())
        let early = await #expect(throws: MdocError.self) { try await session.nextRequest() }
        #expect(early?.code == .noRequest)
        try await session.respond(answer(received), terminating: true)
        #expect(try await session.nextRequest() == nil)
        #expect(await server.log == ["response [\"a\"]", "ended otherSide 20"])
    }

    @Test func theWalletEndsItWithout() async throws {
        let (session, server) = try sides(asking: ["a"])
        _ = try await session.nextRequest()
        try await session.terminate()
        try await session.terminate()
        #expect(await server.log == ["ended otherSide 20"])
        let (other, silent) = try sides(asking: ["a"])
        try await other.terminate()
        #expect(try await other.nextRequest() == nil)
        #expect(await silent.log.isEmpty)
    }

    @Test func nothingToAnswerYet() async throws {
        let (session, _) = try sides(asking: ["a"])
        let error = await #expect(throws: MdocError.self) { try await session.respond(DeviceResponse(documents: [])) }
        #expect(error?.code == .noRequest)
    }

    @Test func aWebsiteThatFails() async throws {
        let website = try EngagedWebsite(uri: "https://reader.example/1", domain: "reader.example")
        let visitor = try WebsiteVisitor(link: website.engagement.link, domain: "reader.example")
        let session = WebsiteHolderSession(visitor, over: InMemoryHTTPTransport([:]))
        let error = await #expect(throws: MdocError.self) { try await session.nextRequest() }
        #expect(error?.code == .transportFailed)
        #expect(await session.termination?.initiator == .channel)
        #expect(try await session.nextRequest() == nil)
    }

    @Test func refusesALinkThatIsNotAURL() async throws {
        let website = try EngagedWebsite(uri: "file:///etc/passwd", domain: "reader.example")
        let visitor = try WebsiteVisitor(link: website.engagement.link, domain: "reader.example")
        let session = WebsiteHolderSession(visitor, over: InMemoryHTTPTransport([:]))
        let error = await #expect(throws: MdocError.self) { try await session.nextRequest() }
        #expect(error?.code == .transportFailed)
    }
}
