import MdocKit
import MdocProximity

extension FuzzTarget {
    /// The parsers of MdocKit for Bluetooth Low Energy.
    package static let mdocBLE = [
        FuzzTarget(name: "ble-out-of-band-data") { bytes in
            let data = try BLEOutOfBandData(decoding: bytes)
            require(try BLEOutOfBandData(decoding: data.encodedBytes) == data, "what is written reads back")
        },
        FuzzTarget(name: "ble-psm") { bytes in
            require(try BLEPSM.encoded(BLEPSM.decode(bytes)) == bytes, "what is read is written as it was")
        },
        FuzzTarget(name: "ble-connection") { bytes in
            var connection = BLEConnection(
                mode: .peripheralServer,
                role: .device,
                maximumTransmissionUnit: 23,
                maximumMessageSize: 1000
            )
            for (index, value) in bytes.messages.enumerated() {
                guard index > 0 else {
                    try connection.receiveState(value)
                    continue
                }
                guard let message = try connection.receive(value) else { continue }
                require(message.count <= 1000, "a message stays within its limit")
                var assembler = BLEMessageAssembler()
                var assembled: [UInt8]?
                for part in try connection.parts(of: message) { assembled = try assembler.append(part) }
                require(assembled == message, "its parts are the message")
            }
        },
        FuzzTarget(name: "ble-l2cap") { bytes in
            var decoder = L2CAPMessageDecoder(maximumMessageSize: 1000)
            let messages = try decoder.append(bytes)
            var slow = L2CAPMessageDecoder(maximumMessageSize: 1000)
            let same = try bytes.flatMap { byte in try slow.append(CollectionOfOne(byte)) }
            require(same == messages, "the pieces in which bytes come do not matter")
            require(slow.isWithinMessage == decoder.isWithinMessage, "nor for what is left")
            let written = try messages.flatMap { message in try L2CAPMessage.encoded(message) }
            require(bytes.starts(with: written), "messages are written as they were")
        },
    ]
}
