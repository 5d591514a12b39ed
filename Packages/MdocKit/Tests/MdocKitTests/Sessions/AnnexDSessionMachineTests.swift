import CryptoCore
import MdocKit
import MdocProximity
import Testing

/// The session of ISO/IEC 18013-5, Annex D.5.1, run through the machines.
@Suite struct AnnexDSessionMachineTests {
    private func handover() throws -> Handover {
        .nfc(
            select: try AnnexD.figure("nfc-handover-select"),
            request: try AnnexD.figure("nfc-handover-request")
        )
    }

    @Test func theReader() async throws {
        var reader = try await ReaderSessionMachine(
            engagement: DeviceEngagement(decoding: AnnexD.figure("device-engagement-nfc")),
            handover: handover(),
            readerKey: AnnexD.privateKey("ephemeral-reader-key-private")
        )
        let transcript = reader.sessionTranscript
        #expect(try transcript == AnnexD.transcript())
        let (id, message) = try reader.request(DeviceRequest(decoding: AnnexD.figure("device-request")))
        #expect(try message == AnnexD.figure("session-establishment"))
        let effects = reader.receive(try AnnexD.figure("session-data"))
        #expect(try effects == [.response(AnnexD.figure("device-response"), to: id)])
        let end = reader.receive(try AnnexD.figure("session-termination"))
        guard case .ended(let termination)? = end.first else { return #expect(Bool(false), "the session goes on") }
        #expect(termination.summary == "otherSide 20")
    }

    @Test func theDevice() async throws {
        let device = try EngagedDevice(
            engagement: DeviceEngagement(decoding: AnnexD.figure("device-engagement-nfc")),
            key: AnnexD.privateKey("ephemeral-device-key-private")
        )
        let message = try AnnexD.figure("session-establishment")
        let handover = try handover()
        switch await device.receive(message, handover: handover) {
        case .ended(let termination, _): #expect(Bool(false), "\(termination)")
        case .established(var machine, let request):
            #expect(try request == AnnexD.figure("device-request"))
            let effects = try machine.respond(AnnexD.figure("device-response"))
            #expect(try effects == [.send(AnnexD.figure("session-data"))])
            let end = machine.terminate()
            #expect(try end.first == .send(AnnexD.figure("session-termination")))
        }
    }
}
