import MdocKit
import MdocProximity

extension FuzzTarget {
    /// The parsers of MdocKit for NFC, and both sides of its dialogues.
    package static let mdocNFC = [
        FuzzTarget(name: "nfc-ndef") { bytes in
            let message = try NDEFMessage(decoding: bytes)
            require(message.encodedBytes == bytes, "the received bytes are kept")
            guard let again = try? NDEFMessage(message.records) else { return }
            require(try NDEFMessage(decoding: again.encodedBytes).records == message.records, "records read back")
        },
        FuzzTarget(name: "nfc-handover-select") { bytes in
            let select = try HandoverSelect(decoding: bytes, options: .deployed)
            require(select.encodedBytes == bytes, "the received bytes are kept")
            _ = try? select.retrievalMethods(answering: AnnexDSession.shared.handoverRequest)
            _ = try? select.retrievalMethods()
        },
        FuzzTarget(name: "nfc-handover-request") { bytes in
            let request = try HandoverRequest(decoding: bytes, options: .deployed)
            require(request.encodedBytes == bytes, "the received bytes are kept")
            require(
                !request.bleModes.contains(.centralClient) || request.centralClientUUID != nil,
                "a wallet finds the reader that it shall connect to"
            )
        },
        FuzzTarget(name: "nfc-apdu") { bytes in
            if let response = try? ResponseAPDU(decoding: bytes) {
                require(response.encodedBytes == bytes, "a response is written as it was")
            }
            let command = try CommandAPDU(decoding: bytes)
            for isExtended in [false, true] {
                require(
                    try CommandAPDU(decoding: command.encoded(extended: isExtended)) == command,
                    "a command reads back"
                )
            }
        },
        FuzzTarget(name: "nfc-capability-container") { bytes in
            let container = try CapabilityContainer(decoding: bytes)
            require(
                try CapabilityContainer(decoding: container.encodedBytes) == container,
                "what is written reads back"
            )
        },
        FuzzTarget(name: "nfc-engagement-tag") { bytes in
            let select = try HandoverSelect(decoding: AnnexDSession.shared.handoverSelect)
            for var tag in try [
                NFCEngagementTag(showing: select),
                NFCEngagementTag(negotiating: TNEPServiceParameters(), options: .deployed),
            ] {
                for command in bytes.messages {
                    let (response, event) = tag.respond(to: command)
                    require((2...0x10002).contains(response.count), "every command gets its response")
                    if case .requested = event { try? tag.answer(with: select) }
                }
            }
        },
        FuzzTarget(name: "nfc-engagement-reader") { bytes in
            var reader = NFCEngagementReader(request: try AnnexDSession.shared.handoverRequest, options: .deployed)
            _ = try reader.start()
            for response in bytes.messages { _ = try reader.receive(response) }
        },
        FuzzTarget(name: "nfc-transfer-device") { bytes in
            guard let options = NFCOptions(maximumCommandData: 255, maximumResponseData: 256) else { return }
            var device = NFCTransferDevice(options: options, maximumMessageSize: 1000)
            for command in bytes.messages {
                switch device.receive(command) {
                case .respond(let response): require(response.data.count <= 256, "a response is as long as allowed")
                case .message(let message):
                    require(message.count <= 1000, "a message stays within its limit")
                    _ = try device.answer(with: message + message)
                }
            }
        },
        FuzzTarget(name: "nfc-transfer-reader") { bytes in
            guard let options = NFCOptions(maximumCommandData: 255, maximumResponseData: 256) else { return }
            var reader = try NFCTransferReader(options: options, maximumMessageSize: 1000)
            _ = try reader.start()
            for response in bytes.messages {
                switch try reader.receive(response) {
                case .ready: _ = try reader.send([UInt8](repeating: 1, count: 300))
                case .message(let message):
                    require(message.count <= 1000, "a message stays within its limit")
                    _ = try reader.send(message)
                case .send: continue
                }
            }
        },
    ]
}
