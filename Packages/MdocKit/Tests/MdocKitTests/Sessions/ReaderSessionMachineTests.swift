import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct ReaderSessionMachineTests {
    enum State: CaseIterable {
        case fresh, waiting, givenUp, idle, ended
    }

    enum Event: CaseIterable {
        case request, giveUp, response, lastResponse, forged, garbage, empty, noMembers, encryptionError
        case decodingError, termination, unknownStatus, unknownStatusWithData, errorWithData, terminate,
            rejectResponse, channelLost, channelEnded
    }

    /// The outcome of each event, by state in order.
    static let table: [Event: [String]] = [
        .request: ["sent", "requestPending", "sent", "sent", "sessionEnded"],
        .giveUp: ["-", "given up", "-", "-", "-"],
        .response: [
            "send 20, ended thisSide 20", "response 0", "discarded 0", "send 20, ended thisSide 20", "-",
        ],
        .lastResponse: [
            "ended otherSide 20", "response 0, ended otherSide 20", "discarded 0, ended otherSide 20",
            "ended otherSide 20", "-",
        ],
        .forged: all("send 10, ended thisSide 10"),
        .garbage: all("send 11, ended thisSide 11"),
        .empty: all("send 11, ended thisSide 11"),
        .noMembers: all("send 11, ended thisSide 11"),
        .encryptionError: all("ended otherSide 10"),
        .decodingError: all("ended otherSide 11"),
        .termination: all("ended otherSide 20"),
        .unknownStatus: all("ended otherSide 99"),
        .unknownStatusWithData: [
            "ended otherSide 99", "response 0, ended otherSide 99", "discarded 0, ended otherSide 99",
            "ended otherSide 99", "-",
        ],
        .errorWithData: all("ended otherSide 10"),
        .terminate: all("send 20, ended thisSide 20"),
        .rejectResponse: all("send 11, ended thisSide 11"),
        .channelLost: all("ended channel -"),
        .channelEnded: all("ended otherSide -"),
    ]

    /// The same in every state but the last, in which nothing happens.
    private static func all(_ outcome: String) -> [String] { [outcome, outcome, outcome, outcome, "-"] }

    @Test(arguments: State.allCases, Event.allCases)
    func everyEventInEveryState(_ state: State, _ event: Event) async throws {
        let fixture = try SessionFixture()
        var device = try fixture.cipher(.device)
        var machine = try await fixture.reader()
        let id = try Self.bring(&machine, to: state, &device)
        let outcome = try Self.meet(event, &machine, &device, id)
        let row = try #require(Self.table[event])
        let expected = row[State.allCases.firstIndex(of: state) ?? 0]
        #expect(outcome == expected)
        let isOver = machine.termination != nil
        let holdsKeys = machine.holdsKeys
        #expect(holdsKeys != isOver)
        #expect(isOver == (state == .ended || expected.contains("ended ")))
    }

    private static func bring(
        _ machine: inout ReaderSessionMachine,
        to state: State,
        _ device: inout SessionEncryption
    ) throws -> ReaderSessionMachine.RequestID? {
        guard state != .fresh else { return nil }
        let (id, _) = try machine.request(SessionFixture.request())
        switch state {
        case .givenUp: machine.giveUp(id)
        case .idle: _ = machine.receive(SessionData(data: try device.encrypt([1])).encoded())
        case .ended: _ = machine.terminate()
        case .fresh, .waiting: break
        }
        return id
    }

    private static func meet(
        _ event: Event,
        _ machine: inout ReaderSessionMachine,
        _ device: inout SessionEncryption,
        _ id: ReaderSessionMachine.RequestID?
    ) throws -> String {
        switch event {
        case .request:
            let request = try SessionFixture.request()
            do throws(MdocError) {
                _ = try machine.request(request)
                return "sent"
            } catch {
                return error.code.description
            }
        case .giveUp: return id.map { machine.giveUp($0) } == true ? "given up" : "-"
        case .response: return try text(machine.receive(message(&device)))
        case .lastResponse: return try text(machine.receive(message(&device, .termination)))
        case .forged: return text(machine.receive(SessionData(data: [UInt8](repeating: 7, count: 40)).encoded()))
        case .garbage: return text(machine.receive([0xff, 0x00, 0x13]))
        case .empty: return text(machine.receive([]))
        case .noMembers: return text(machine.receive([0xa0]))
        case .encryptionError: return text(machine.receive(SessionData(status: .encryptionError).encoded()))
        case .decodingError: return text(machine.receive(SessionData(status: .cborDecodingError).encoded()))
        case .termination: return text(machine.receive(SessionData(status: .termination).encoded()))
        case .unknownStatus: return text(machine.receive(SessionData(status: .init(rawValue: 99)).encoded()))
        case .unknownStatusWithData: return try text(machine.receive(message(&device, .init(rawValue: 99))))
        case .errorWithData: return try text(machine.receive(message(&device, .encryptionError)))
        case .terminate: return text(machine.terminate())
        case .rejectResponse: return text(machine.rejectResponse(MdocError(.malformedCBOR, "no CBOR")))
        case .channelLost: return text(machine.channelLost("gone"))
        case .channelEnded: return text(machine.channelEnded())
        }
    }

    private static func message(
        _ device: inout SessionEncryption,
        _ status: SessionData.Status? = nil
    ) throws -> [UInt8] {
        SessionData(data: try device.encrypt([1]), status: status).encoded()
    }

    private static func text(_ effects: [ReaderSessionMachine.Effect]) -> String {
        let texts = effects.map { effect in
            switch effect {
            case .send(let message):
                "send \((try? SessionData(decoding: message))?.status?.rawValue.description ?? "data")"
            case .response(_, let id): "response \(id.index)"
            case .discardedResponse(let id): "discarded \(id.index)"
            case .ended(let termination): "ended \(termination.summary)"
            }
        }
        return texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }
}

extension ReaderSessionMachineTests {
    @Test func theLateResponseIsNotThatOfTheNextRequest() async throws {
        let fixture = try SessionFixture()
        var device = try fixture.cipher(.device)
        var reader = try await fixture.reader()
        let (first, _) = try reader.request(SessionFixture.request())
        reader.giveUp(first)
        let (second, message) = try reader.request(SessionFixture.request())
        #expect(try SessionData(decoding: message).data != nil)
        let late = reader.receive(try Self.message(&device))
        #expect(late == [.discardedResponse(to: first)])
        let pending = reader.pendingRequest
        #expect(pending == second)
        let answer = reader.receive(SessionData(data: try device.encrypt([2])).encoded())
        #expect(answer == [.response([2], to: second)])
    }

    @Test func onlySoManyRequestsMayBeGivenUp() async throws {
        var reader = try await SessionFixture().reader()
        for _ in 0..<ReaderSessionMachine.maximumUnanswered {
            let (id, _) = try reader.request(SessionFixture.request())
            reader.giveUp(id)
        }
        var refusal: MdocError?
        let request = try SessionFixture.request()
        do throws(MdocError) { _ = try reader.request(request) } catch { refusal = error }
        #expect(refusal?.code == .limitExceeded)
        let holdsKeys = reader.holdsKeys
        #expect(holdsKeys)
    }

    @Test func onlyTheFirstMessageBringsTheKey() async throws {
        let fixture = try SessionFixture()
        var device = try fixture.cipher(.device)
        var reader = try await fixture.reader()
        let (_, first) = try reader.request(SessionFixture.request())
        let establishment = try SessionEstablishment(decoding: first)
        #expect([UInt8](establishment.eReaderKeyBytes) == fixture.transcript.eReaderKeyBytes)
        #expect(try device.decrypt(establishment.data) == [UInt8](SessionFixture.request().encodedBytes))
        _ = reader.receive(try Self.message(&device))
        let (_, second) = try reader.request(SessionFixture.request())
        #expect(throws: MdocError.self) { try SessionEstablishment(decoding: second) }
        #expect(try device.decrypt(try #require(SessionData(decoding: second).data)).isEmpty == false)
    }

    @Test func aReplayedOrReorderedMessageEndsTheSession() async throws {
        for order in [[0, 0], [1, 0]] {
            let fixture = try SessionFixture()
            var device = try fixture.cipher(.device)
            var reader = try await fixture.reader()
            let messages = try (0..<2).map { _ in try Self.message(&device) }
            _ = try reader.request(SessionFixture.request())
            var effects = reader.receive(messages[order[0]])
            if order[0] == 0 {
                _ = try reader.request(SessionFixture.request())
                effects = reader.receive(messages[order[1]])
            }
            #expect(Self.text(effects) == "send 10, ended thisSide 10")
        }
    }

    @Test func everyTruncationEndsTheSession() async throws {
        let fixture = try SessionFixture()
        var device = try fixture.cipher(.device)
        let message = try Self.message(&device)
        for length in 0..<message.count {
            var reader = try await fixture.reader()
            _ = try reader.request(SessionFixture.request())
            let effects = Self.text(reader.receive(Array(message[..<length])))
            #expect(effects == "send 11, ended thisSide 11", "\(length)")
        }
    }

    @Test func aMessageOverTheLimitEndsTheSession() async throws {
        let fixture = try SessionFixture()
        var options = MdocReadingOptions()
        options.limits.messageSize = 64
        var reader = try await ReaderSessionMachine(
            engagement: fixture.engagement,
            readerKey: fixture.readerKey,
            options: options
        )
        var device = try fixture.cipher(.device)
        _ = try reader.request(SessionFixture.request())
        let tooLong = SessionData(data: try device.encrypt([UInt8](repeating: 0, count: 64))).encoded()
        let effects = Self.text(reader.receive(tooLong))
        #expect(effects == "send 11, ended thisSide 11")
    }

    @Test func theEngagementsKeyMustBeAnotherOnTheSameCurve() async throws {
        let fixture = try SessionFixture()
        for key in [fixture.deviceKey, try PrivateKey.generate(.p384), try PrivateKey.generate(.x25519)] {
            var refusal: MdocError?
            do throws(MdocError) {
                _ = try await ReaderSessionMachine(engagement: fixture.engagement, readerKey: key)
            } catch {
                refusal = error
            }
            #expect(refusal?.code == .unsupportedKey)
        }
    }

    @Test func theTranscriptHoldsTheBytesAsShown() async throws {
        let shown = try SessionFixture().engagement
        var value = try CBOR(decoding: [UInt8](shown.encodedBytes))
        value.set(-7, "an extension")
        value.set(9, [1, 2])
        let engagement = try DeviceEngagement(decoding: value.encoded())
        let handover = Handover.nfc(select: [1, 2], request: [3])
        let reader = try await ReaderSessionMachine(
            engagement: engagement,
            handover: handover,
            readerKey: PrivateKey.generate(.p256)
        )
        let transcript = reader.sessionTranscript
        #expect(transcript.deviceEngagementBytes == CBOR.tagged(24, .bytes(value.encoded())).encoded())
        #expect(transcript.handover == handover)
    }

    @Test func membersThatTheWalletDidNotOfferAreNotSent() async throws {
        let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        let macKey = try COSEKey(publicKey: PrivateKey.generate(.p256).publicKey)
        let withKeys = try DeviceRequest(docRequests: [DocRequest(items)], macKeys: [macKey])
        let utopia = try await Utopia()
        let unsigned = try UnsignedReaderAuth(
            ReaderAuthentication(sessionTranscript: utopia.transcript, allOf: [items], deviceRequestInfo: nil),
            x5chain: [utopia.reader]
        )
        let signed = try DeviceRequest(
            docRequests: [DocRequest(items)],
            readerAuthAll: [await unsigned.signed(with: SoftwareSigner(utopia.readerKey))]
        )
        var keys = EngagementCapabilities()
        keys.macKeysSupport = true
        var otherCurve = keys
        otherCurve.macKeysCurves = [2]
        var sameCurve = keys
        sameCurve.macKeysCurves = [2, 1]
        var signatures = EngagementCapabilities()
        signatures.readerAuthAllSupport = true
        let cases: [(DeviceRequest, EngagementCapabilities?, Bool)] = [
            (withKeys, nil, false), (withKeys, EngagementCapabilities(), false), (withKeys, keys, true),
            (withKeys, otherCurve, false), (withKeys, sameCurve, true), (signed, nil, false), (signed, keys, false),
            (signed, signatures, true),
        ]
        for (request, capabilities, isAllowed) in cases {
            var reader = try await SessionFixture(capabilities: capabilities).reader()
            var refusal: MdocError?
            do throws(MdocError) { _ = try reader.request(request) } catch { refusal = error }
            #expect(refusal?.code == (isAllowed ? nil : .invalidValue))
        }
    }
}
