import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct BLEConnectionTests {
    private func pair(_ mode: BLEMode, mtu: Int = 23) -> (client: BLEConnection, server: BLEConnection) {
        let device = BLEConnection(mode: mode, role: .device, maximumTransmissionUnit: mtu)
        let reader = BLEConnection(mode: mode, role: .reader, maximumTransmissionUnit: mtu)
        return mode == .centralClient ? (device, reader) : (reader, device)
    }

    @Test(arguments: BLEMode.allCases, [23, 185, 512, 517])
    func aWholeTransaction(_ mode: BLEMode, _ mtu: Int) throws {
        var (client, server) = pair(mode, mtu: mtu)
        #expect(client.recovery == .reconnect)
        let start = try client.start()
        #expect(start == [1])
        try server.receiveState(start)
        #expect(client.phase == .started)
        #expect(server.phase == .started)
        #expect(server.recovery == .newTransaction)
        for count in [1, 1000, 4321] {
            let message = [UInt8](repeating: 5, count: count)
            var received: [UInt8]?
            for part in try client.parts(of: message) { received = try server.receive(part) }
            #expect(received == message)
            for part in try server.parts(of: message) { received = try client.receive(part) }
            #expect(received == message)
        }
        let end = server.end()
        #expect(end == [2])
        try client.receiveState(end)
        #expect(client.phase == .ended)
        for connection in [client, server] {
            let sending = #expect(throws: MdocError.self) { try connection.parts(of: [1]) }
            #expect(sending?.code == .sessionEnded)
            var connection = connection
            let receiving = #expect(throws: MdocError.self) { try connection.receive([0, 1]) }
            #expect(receiving?.code == .sessionEnded)
            #expect(connection.recovery == .newTransaction)
        }
    }

    @Test(arguments: BLEMode.allCases)
    func nothingBeforeTheStart(_ mode: BLEMode) throws {
        var (client, server) = pair(mode)
        for connection in [client, server] {
            var connection = connection
            let sending = #expect(throws: MdocError.self) { try connection.parts(of: [1]) }
            #expect(sending?.code == .unexpectedMessage)
            let receiving = #expect(throws: MdocError.self) { try connection.receive([0, 1]) }
            #expect(receiving?.code == .unexpectedMessage)
        }
        let notAClient = #expect(throws: MdocError.self) { try server.start() }
        #expect(notAClient?.code == .unexpectedMessage)
        let fromTheServer = #expect(throws: MdocError.self) { try client.receiveState([1]) }
        #expect(fromTheServer?.code == .unexpectedMessage)
        _ = try client.start()
        let again = #expect(throws: MdocError.self) { try client.start() }
        #expect(again?.code == .unexpectedMessage)
        try server.receiveState([1])
        let twice = #expect(throws: MdocError.self) { try server.receiveState([1]) }
        #expect(twice?.code == .unexpectedMessage)
        for value in [[], [0], [3], [1, 1], [2, 0]] as [[UInt8]] {
            let error = #expect(throws: MdocError.self) { try server.receiveState(value) }
            #expect(error?.code == .malformedBLEData)
        }
    }

    @Test func theLimitOfAMessage() throws {
        var server = BLEConnection(
            mode: .centralClient,
            role: .reader,
            maximumTransmissionUnit: 23,
            maximumMessageSize: 2
        )
        try server.receiveState([1])
        let error = #expect(throws: MdocError.self) { try server.receive([0, 1, 2, 3]) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func characteristics() {
        let tail = "-A123-48CE-896B-4C76973373E6"
        let server = BLECharacteristics(.peripheralServer)
        #expect(server.state.uuidString == "00000001" + tail)
        #expect(server.clientToServer.uuidString == "00000002" + tail)
        #expect(server.serverToClient.uuidString == "00000003" + tail)
        #expect(server.ident == nil)
        #expect(server.l2capPSM.uuidString == "0000000A" + tail)
        let client = BLECharacteristics(.centralClient)
        #expect(client.state.uuidString == "00000005" + tail)
        #expect(client.clientToServer.uuidString == "00000006" + tail)
        #expect(client.serverToClient.uuidString == "00000007" + tail)
        #expect(client.ident?.uuidString == "00000008" + tail)
        #expect(client.l2capPSM.uuidString == "0000000B" + tail)
        #expect(BLECharacteristics.clientConfigurationDescriptor == 0x2902)
        #expect(BLECharacteristics.notificationsEnabled == [1, 0])
    }

    @Test func theModeThatAReaderTakes() {
        let both = BLEOptions(peripheralServerUUID: NFCExamples.uuid, centralClientUUID: NFCExamples.otherUUID)
        let server = BLEOptions(peripheralServerUUID: NFCExamples.uuid, centralClientUUID: nil)
        let client = BLEOptions(peripheralServerUUID: nil, centralClientUUID: NFCExamples.uuid)
        #expect(both.preferredMode() == .centralClient)
        #expect(both.preferredMode(among: [.peripheralServer]) == .peripheralServer)
        #expect(server.preferredMode() == .peripheralServer)
        #expect(client.preferredMode() == .centralClient)
        #expect(client.preferredMode(among: [.peripheralServer]) == nil)
        #expect(both.serviceUUID(for: .centralClient) == NFCExamples.otherUUID)
        #expect(both.serviceUUID(for: .peripheralServer) == NFCExamples.uuid)
        #expect(server.modes == [.peripheralServer])
    }

    @Test func keysDerivedFromTheEngagement() throws {
        let engagement = try NFCExamples.engagement()
        // HKDF by its definition: extract with a salt of zeros, then the first block of expand.
        func block(_ info: String) -> [UInt8] {
            let zeros = [UInt8](repeating: 0, count: 32)
            let key = HMAC.authenticationCode(for: [UInt8](engagement.eDeviceKeyBytes), key: zeros, hash: .sha256)
            return HMAC.authenticationCode(for: Array(info.utf8) + [1], key: key, hash: .sha256)
        }
        let ident = try engagement.bleIdent()
        #expect(ident == Array(block("BLEIdent").prefix(16)))
        try engagement.checkBLEIdent(ident)
        for wrong in [[], Array(ident.dropLast()), ident + [0], [ident[0] ^ 1] + ident.dropFirst()] as [[UInt8]] {
            let error = #expect(throws: MdocError.self) { try engagement.checkBLEIdent(wrong) }
            #expect(error?.code == .keyMismatch)
        }
        let name = try engagement.wifiAwareServiceName()
        #expect(name == Array(block("NANService").prefix(16)).hex.uppercased())
        let phrase = try engagement.wifiAwarePassPhrase()
        let base64 = Data(block("NANPassphrase")).base64EncodedString()
        #expect(phrase == base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
        #expect(phrase.utf8.count == 43)
        #expect(try engagement.passPhrase(for: WiFiAwareOptions(supportedBands: [])) == phrase)
        #expect(try engagement.passPhrase(for: WiFiAwareOptions(passPhrase: "own", supportedBands: [])) == "own")
    }
}
