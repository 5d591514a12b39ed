import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Engagements over NFC, and both machines of a handover run against each other.
enum NFCExamples {
    static let uuid = UUID(
        uuid: (0x45, 0xef, 0xef, 0x74, 0x2b, 0x2c, 0x48, 0x37, 0xa9, 0xa3, 0xb0, 0xe1, 0xd0, 0x5a, 0x69, 0x17)
    )
    static let otherUUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static func options(_ command: Int, _ response: Int) throws -> NFCOptions {
        try #require(NFCOptions(maximumCommandData: command, maximumResponseData: response))
    }

    static func engagement() throws -> DeviceEngagement {
        try DeviceEngagement(decoding: AnnexD.figure("device-engagement-nfc"))
    }

    static func staticSelect() throws -> HandoverSelect {
        try HandoverSelect(
            deviceEngagement: engagement(),
            retrievalMethods: [
                .ble(BLEOptions(peripheralServerUUID: uuid, centralClientUUID: uuid)),
                .nfc(options(255, 65536)),
            ]
        )
    }

    /// A reader that offers both BLE modes and NFC.
    static func request() throws -> HandoverRequest {
        let data = try BLEOutOfBandData(role: .peripheralPreferred, serviceUUID: uuid)
        return try HandoverRequest(carriers: [HandoverCarrier(.ble(data)), HandoverCarrier(.nfc(nil))])
    }

    static func select(answering request: HandoverRequest) throws -> HandoverSelect {
        try HandoverSelect(
            answering: request,
            selecting: .ble(BLEOptions(peripheralServerUUID: nil, centralClientUUID: request.centralClientUUID)),
            deviceEngagement: engagement()
        )
    }

    /// The outcome of a run.
    struct Run {
        var reader: NFCHandover?
        var wallet: NFCHandover?
        var commands: [CommandAPDU] = []
        var responses: [[UInt8]] = []
        var waited = Duration.zero
        var failures: [MdocError] = []
    }

    /// Runs a reader against a tag; the wallet answers a request after a number of further commands.
    static func run(
        _ reader: inout NFCEngagementReader,
        _ tag: inout NFCEngagementTag,
        answerAfter delay: Int = 0
    ) throws -> Run {
        var run = Run()
        var pending: (request: HandoverRequest, commands: Int)?
        var step = try reader.start()
        while true {
            let command: CommandAPDU
            switch step {
            case .send(let next): command = next
            case .wait(let time, let next):
                run.waited += time
                command = next
            case .complete(let handover):
                run.reader = handover
                return run
            }
            run.commands.append(command)
            if let (request, commands) = pending {
                if commands == 0 {
                    try tag.answer(with: select(answering: request))
                    pending = nil
                } else {
                    pending = (request, commands - 1)
                }
            }
            let (response, event) = tag.respond(to: command.encoded())
            run.responses.append(response)
            switch event {
            case .requested(let request): pending = (request, delay)
            case .completed(let handover): run.wallet = handover
            case .failed(let error): run.failures.append(error)
            case nil: break
            }
            step = try reader.receive(response)
        }
    }
}
