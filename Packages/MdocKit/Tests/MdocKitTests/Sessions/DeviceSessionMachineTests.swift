import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocProximity
import Testing

@Suite struct DeviceSessionMachineTests {
    enum State: CaseIterable {
        case asked, idle, ended
    }

    enum Event: CaseIterable {
        case request, lastRequest, establishmentAgain, forged, garbage, noMembers, encryptionError, decodingError
        case termination, unknownStatus, errorWithData, respond, respondLast, terminate, channelLost, channelEnded
    }

    /// The outcome of each event, by state in order.
    static let table: [Event: [String]] = [
        .request: all("request"),
        .lastRequest: all("request, ended otherSide 20"),
        .establishmentAgain: all("send 10, ended thisSide 10"),
        .forged: all("send 10, ended thisSide 10"),
        .garbage: all("send 11, ended thisSide 11"),
        .noMembers: all("send 11, ended thisSide 11"),
        .encryptionError: all("ended otherSide 10"),
        .decodingError: all("ended otherSide 11"),
        .termination: all("ended otherSide 20"),
        .unknownStatus: all("ended otherSide 99"),
        .errorWithData: all("ended otherSide 11"),
        .respond: ["send data", "noRequest", "sessionEnded"],
        .respondLast: ["send data 20, ended thisSide 20", "noRequest", "sessionEnded"],
        .terminate: all("send 20, ended thisSide 20"),
        .channelLost: all("ended channel -"),
        .channelEnded: all("ended otherSide -"),
    ]

    /// The same in every state but the last, in which nothing happens.
    private static func all(_ outcome: String) -> [String] { [outcome, outcome, "-"] }

    @Test(arguments: State.allCases, Event.allCases)
    func everyEventInEveryState(_ state: State, _ event: Event) async throws {
        let fixture = try SessionFixture()
        var reader = try fixture.cipher(.reader)
        var machine = try await fixture.device(&reader)
        switch state {
        case .asked: break
        case .idle: _ = try machine.respond([1])
        case .ended: _ = machine.terminate()
        }
        let outcome = try Self.meet(event, &machine, &reader, fixture)
        let row = try #require(Self.table[event])
        let expected = row[State.allCases.firstIndex(of: state) ?? 0]
        #expect(outcome == expected)
        let isOver = machine.termination != nil
        let holdsKeys = machine.holdsKeys
        #expect(holdsKeys != isOver)
        #expect(isOver == (state == .ended || expected.contains("ended ")))
    }

    private static func meet(
        _ event: Event,
        _ machine: inout DeviceSessionMachine,
        _ reader: inout SessionEncryption,
        _ fixture: SessionFixture
    ) throws -> String {
        switch event {
        case .request: return try text(machine.receive(message(&reader)))
        case .lastRequest: return try text(machine.receive(message(&reader, .termination)))
        case .establishmentAgain:
            var again = try fixture.cipher(.reader)
            return text(machine.receive(try fixture.establishment([1], &again)))
        case .forged: return text(machine.receive(SessionData(data: [UInt8](repeating: 7, count: 40)).encoded()))
        case .garbage: return text(machine.receive([0xff, 0x00, 0x13]))
        case .noMembers: return text(machine.receive([0xa0]))
        case .encryptionError: return text(machine.receive(SessionData(status: .encryptionError).encoded()))
        case .decodingError: return text(machine.receive(SessionData(status: .cborDecodingError).encoded()))
        case .termination: return text(machine.receive(SessionData(status: .termination).encoded()))
        case .unknownStatus: return text(machine.receive(SessionData(status: .init(rawValue: 99)).encoded()))
        case .errorWithData: return try text(machine.receive(message(&reader, .cborDecodingError)))
        case .respond: return respond(&machine, terminating: false)
        case .respondLast: return respond(&machine, terminating: true)
        case .terminate: return text(machine.terminate())
        case .channelLost: return text(machine.channelLost("gone"))
        case .channelEnded: return text(machine.channelEnded())
        }
    }

    private static func respond(_ machine: inout DeviceSessionMachine, terminating: Bool) -> String {
        do throws(MdocError) {
            return text(try machine.respond([2], terminating: terminating))
        } catch {
            return error.code.description
        }
    }

    private static func message(
        _ reader: inout SessionEncryption,
        _ status: SessionData.Status? = nil
    ) throws -> [UInt8] {
        SessionData(data: try reader.encrypt([1]), status: status).encoded()
    }

    private static func text(_ effects: [DeviceSessionMachine.Effect]) -> String {
        let texts = effects.map { effect in
            switch effect {
            case .send(let message): "send" + contents(of: message)
            case .request: "request"
            case .ended(let termination): "ended \(termination.summary)"
            }
        }
        return texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }

    private static func contents(of message: [UInt8]) -> String {
        guard let message = try? SessionData(decoding: message) else { return " nonsense" }
        return (message.data == nil ? "" : " data") + (message.status.map { " \($0.rawValue)" } ?? "")
    }
}

extension DeviceSessionMachineTests {
    @Test func tooManyRequestsEndTheSession() async throws {
        let fixture = try SessionFixture()
        var reader = try fixture.cipher(.reader)
        var machine = try await fixture.device(&reader)
        for _ in 1..<DeviceSessionMachine.maximumUnanswered {
            let effects = machine.receive(try Self.message(&reader))
            #expect(effects == [.request([1])])
        }
        let unanswered = machine.unansweredRequests
        #expect(unanswered == DeviceSessionMachine.maximumUnanswered)
        let effects = Self.text(machine.receive(try Self.message(&reader)))
        #expect(effects == "send 20, ended thisSide 20")
    }

    @Test func severalRequestsAreAnsweredInOneSession() async throws {
        let fixture = try SessionFixture()
        var cipher = try fixture.cipher(.reader)
        var machine = try await fixture.device(&cipher)
        for round: UInt8 in 0..<5 {
            let effects = try machine.respond([round])
            guard case .send(let message)? = effects.first else { return #expect(Bool(false), "nothing is sent") }
            let data = try #require(SessionData(decoding: message).data)
            #expect(try cipher.decrypt(data) == [round])
            let next = machine.receive(SessionData(data: try cipher.encrypt([round])).encoded())
            #expect(next == [.request([round])])
        }
    }
}

/// The outcome of a reader's first message.
@Suite struct EngagedDeviceTests {
    private func outcome(
        _ fixture: SessionFixture,
        _ message: [UInt8],
        handover: Handover = .qr
    ) async throws -> String {
        switch try await fixture.engagedDevice().receive(message, handover: handover) {
        case .established(_, let request): return "request \(request)"
        case .ended(let termination, let reply):
            let status = try reply.map { try SessionData(decoding: $0) }?.status?.rawValue
            return "\(termination.summary), reply \(status?.description ?? "-")"
        }
    }

    @Test func aGoodMessageGivesTheRequest() async throws {
        for curve: EllipticCurve in [.p256, .p384, .p521, .x25519] {
            let fixture = try SessionFixture(curve: curve)
            var reader = try fixture.cipher(.reader)
            #expect(try await outcome(fixture, fixture.establishment([9], &reader)) == "request [9]")
        }
    }

    @Test func theHandoverMustBeTheSame() async throws {
        let handovers: [Handover] = [.qr, .nfc(select: [1]), .nfc(select: [1], request: [2])]
        for one in handovers {
            let fixture = try SessionFixture(handover: one)
            for other in handovers {
                var reader = try fixture.cipher(.reader)
                let outcome = try await outcome(fixture, fixture.establishment([9], &reader), handover: other)
                #expect(outcome == (one == other ? "request [9]" : "thisSide 10, reply 10"))
            }
        }
    }

    @Test func theKeyIsTakenByteForByte() async throws {
        let fixture = try SessionFixture()
        let key = try COSEKey(publicKey: fixture.readerKey.publicKey)
        var value = try CBOR(decoding: key.encoded())
        value.set(-70, "an extension")
        let keyBytes = CBOR.tagged(24, .bytes(value.encoded())).encoded()
        let transcript = SessionTranscript(
            deviceEngagementBytes: fixture.engagement.taggedBytes,
            eReaderKeyBytes: keyBytes,
            handover: .qr
        )
        var reader = try SessionEncryption(
            role: .reader,
            sharedSecret: fixture.readerKey.sharedSecret(with: fixture.deviceKey.publicKey),
            sessionTranscript: transcript
        )
        let message = try SessionEstablishment(eReaderKeyBytes: keyBytes, data: reader.encrypt([9]))
        #expect(try await outcome(fixture, [UInt8](message.encodedBytes)) == "request [9]")
    }

    @Test func keysThatCannotBeUsed() async throws {
        let fixture = try SessionFixture()
        let own = try SessionEstablishment.eReaderKeyBytes(for: fixture.deviceKey.publicKey)
        let otherCurve = try SessionEstablishment.eReaderKeyBytes(for: PrivateKey.generate(.p384).publicKey)
        let signing = CBOR.tagged(24, .bytes(try COSEKey(publicKey: PrivateKey.generate(.ed25519).publicKey).encoded()))
        let ones = CBOR.bytes([UInt8](repeating: 1, count: 32))
        let offCurve: CBOR = [1: 2, -1: 1, -2: ones, -3: ones]
        for key in [own, otherCurve, signing.encoded(), CBOR.tagged(24, .bytes(offCurve.encoded())).encoded()] {
            let message = try SessionEstablishment(eReaderKeyBytes: key, data: [UInt8](repeating: 0, count: 20))
            #expect(try await outcome(fixture, [UInt8](message.encodedBytes)) == "thisSide 10, reply 10")
        }
    }

    @Test func messagesThatEstablishNothing() async throws {
        let fixture = try SessionFixture()
        var reader = try fixture.cipher(.reader)
        let good = try fixture.establishment([9], &reader)
        for length in 0..<good.count {
            #expect(try await outcome(fixture, Array(good[..<length])) == "thisSide 11, reply 11")
        }
        var forged = good
        forged[forged.count - 1] ^= 1
        #expect(try await outcome(fixture, forged) == "thisSide 10, reply 10")
        let cases: [([UInt8], String)] = [
            ([0xa0], "thisSide 11, reply 11"),
            (SessionData(data: try reader.encrypt([9])).encoded(), "thisSide 11, reply 11"),
            (SessionData(status: .termination).encoded(), "otherSide 20, reply -"),
            (SessionData(status: .encryptionError).encoded(), "otherSide 10, reply -"),
            (SessionData(data: [1], status: .termination).encoded(), "thisSide 11, reply 11"),
        ]
        for (message, expected) in cases {
            #expect(try await outcome(fixture, message) == expected)
        }
    }

    @Test func theKeyMustBeThatOfTheEngagement() throws {
        let fixture = try SessionFixture()
        var refusal: MdocError?
        do throws(MdocError) {
            _ = try EngagedDevice(engagement: fixture.engagement, key: fixture.readerKey)
        } catch {
            refusal = error
        }
        #expect(refusal?.code == .keyMismatch)
    }

    @Test func aCurveForSignaturesAloneMakesNoEngagement() throws {
        var refusal: MdocError?
        do throws(MdocError) {
            _ = try EngagedDevice(curve: .ed25519, retrievalMethods: [])
        } catch {
            refusal = error
        }
        #expect(refusal?.code == .unsupportedKey)
    }

    @Test func endingBeforeAnyoneCame() throws {
        let message = try SessionFixture().engagedDevice().terminate()
        #expect(try SessionData(decoding: message).status == .termination)
    }
}
