import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport

extension FuzzTarget {
    /// Whole sessions in proximity between a wallet and a reader, whose messages a script loses, repeats, mixes and changes.
    package static let proximity = [
        FuzzTarget(name: "mdoc-proximity-dialogue") { bytes in
            try InlineTask.run { try await dialogue(FuzzScript(bytes)) }
        },
        FuzzTarget(name: "mdoc-session-encryption") { bytes in
            // A peer with the keys may encrypt anything.
            var script = FuzzScript(bytes)
            let session = AnnexDSession.shared
            let transcript = try SessionTranscript(
                deviceEngagementBytes: session.engagement.taggedBytes,
                eReaderKeyBytes: SessionEstablishment.eReaderKeyBytes(for: session.readerKey.publicKey),
                handover: .qr
            )
            let request = try CBOR(decoding: session.request).edited(by: &script).encoded()
            try InlineTask.run {
                let encrypted = try await encrypted(request, transcript)
                let first = try SessionEstablishment(
                    eReaderKeyBytes: SessionEstablishment.eReaderKeyBytes(for: session.readerKey.publicKey),
                    data: encrypted
                )
                let engaged = try EngagedDevice(
                    engagement: session.engagement,
                    key: session.deviceKey,
                    options: .deployed
                )
                switch await engaged.receive(Array(first.encodedBytes), handover: .qr) {
                case .ended: return
                case .established(var machine, let received):
                    require(received == request, "a request arrives as it was sent")
                    let read = try DeviceRequest(decoding: received, options: .deployed)
                    let match = RequestMatch(
                        read,
                        in: MdocFuzzScene.shared.credentials,
                        at: FuzzKeys.time
                    )
                    let response = try await match.response(
                        to: match.fullConsent(),
                        sessionTranscript: machine.sessionTranscript,
                        at: FuzzKeys.time,
                        readerKeys: [machine.eReaderKey],
                        deviceKey: MdocFuzzScene.shared.handle
                    )
                    _ = try machine.respond(Array(response.encodedBytes), terminating: true)
                    require(machine.termination != nil, "a session ends when it is ended")
                }
            }
        },
    ]

    private static func encrypted(_ message: [UInt8], _ transcript: SessionTranscript) async throws -> [UInt8] {
        let session = AnnexDSession.shared
        let secret = try session.readerKey.sharedSecret(with: session.deviceKey.publicKey)
        var encryption = try SessionEncryption(role: .reader, sharedSecret: secret, sessionTranscript: transcript)
        return try encryption.encrypt(message)
    }

    /// Both sides, with the script for a channel between them.
    private static func dialogue(_ script: FuzzScript) async throws {
        var script = script
        let session = AnnexDSession.shared
        let plain = try DeviceRequest(decoding: session.request)
        var reader = try await ReaderSessionMachine(
            engagement: session.engagement,
            handover: .qr,
            readerKey: session.readerKey,
            options: .deployed
        )
        let engaged = try EngagedDevice(engagement: session.engagement, key: session.deviceKey, options: .deployed)
        let (_, first) = try reader.request(plain)
        let arrived = script.byte() % 4 == 0 ? first.changed(by: &script) : first
        switch await engaged.receive(arrived, handover: .qr) {
        case .ended(let termination, _):
            require(arrived != first, "a genuine request ends the session: \(termination)")
        case .established(var device, let request):
            require(request == session.request, "a request that nobody sent arrives")
            var toReader: [[UInt8]] = []
            var toDevice: [[UInt8]] = []
            var sent: [[UInt8]] = []
            for _ in 0..<12 where !script.isAtEnd {
                switch script.byte() % 8 {
                case 0:
                    let response = script.bytes()
                    guard let effects = try? device.respond(response) else { continue }
                    sent.append(response)
                    for case .send(let message) in effects { toReader.append(message) }
                case 1:
                    guard let (_, message) = try? reader.request(plain) else { continue }
                    toDevice.append(message)
                case 2: for case .send(let message) in device.terminate() { toReader.append(message) }
                case 3: for case .send(let message) in reader.terminate() { toDevice.append(message) }
                case 4 where !toReader.isEmpty: toReader[0] = toReader[0].changed(by: &script)
                case 5 where !toReader.isEmpty: toReader.append(toReader[0])
                case 6 where !toReader.isEmpty:
                    for effect in reader.receive(toReader.removeFirst()) {
                        guard case .response(let response, _) = effect else { continue }
                        require(sent.contains(response), "a response arrives that nobody sent")
                    }
                case 7 where !toDevice.isEmpty:
                    for effect in device.receive(toDevice.removeFirst()) {
                        guard case .request(let request) = effect else { continue }
                        require(request == session.request, "a request that nobody sent arrives")
                    }
                default: continue
                }
            }
        }
    }
}
