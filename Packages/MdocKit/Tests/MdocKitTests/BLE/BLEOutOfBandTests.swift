import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct BLEOutOfBandTests {
    @Test func everyMember() throws {
        let data = try BLEOutOfBandData(
            role: .central,
            serviceUUID: NFCExamples.otherUUID,
            address: [1, 2, 3, 4, 5, 6, 1],
            serviceData: BLEOutOfBandData.ServiceData(serviceUUID: 0x1234, l2capPSM: 192),
            otherStructures: [BLEOutOfBandData.OtherStructure(type: 0x09, data: [0x61])]
        )
        #expect(
            data.encodedBytes.hex == "081b01020304050601" + "021c01" + "1107100f0e0d0c0b0a090807060504030201"
                + "07163412a10018c0" + "020961"
        )
        #expect(try BLEOutOfBandData(decoding: data.encodedBytes) == data)
    }

    @Test func theRoleFromTheSendersView() throws {
        for (role, wallet, reader) in [
            (.peripheral, [.peripheralServer], [.centralClient]),
            (.central, [.centralClient], [.peripheralServer]),
            (.peripheralPreferred, [.peripheralServer, .centralClient], [.peripheralServer, .centralClient]),
            (.centralPreferred, [.peripheralServer, .centralClient], [.peripheralServer, .centralClient]),
        ] as [(BLEOutOfBandData.Role, Set<BLEMode>, Set<BLEMode>)] {
            let data = try BLEOutOfBandData(role: role)
            #expect(data.modes(from: .device) == wallet)
            #expect(data.modes(from: .reader) == reader)
        }
    }

    @Test func structuresInAnyOrder() throws {
        let parts = ["021c02", "1107100f0e0d0c0b0a090807060504030201", "071b010203040506", "020961"]
        for shift in parts.indices {
            let bytes = try #require([UInt8](hex: (parts[shift...] + parts[..<shift]).joined()))
            let data = try BLEOutOfBandData(decoding: bytes)
            #expect(data.role == .peripheralPreferred)
            #expect(data.serviceUUID == NFCExamples.otherUUID)
            #expect(data.address == [1, 2, 3, 4, 5, 6])
            #expect(data.otherStructures == [BLEOutOfBandData.OtherStructure(type: 9, data: [0x61])])
        }
    }

    @Test func serviceDataOfOthers() throws {
        // No map, a map without a number where the channel stands, too short, and one after the channel's.
        for other in ["051634120102", "05163412a10061", "02 16 34", "0516341280ff"] {
            let bytes = try #require([UInt8](hex: "021c00" + other))
            guard let data = try? BLEOutOfBandData(decoding: bytes) else { continue }
            #expect(data.serviceData?.l2capPSM == nil)
            #expect(data.encodedBytes == bytes)
        }
        let empty = try BLEOutOfBandData(decoding: try #require([UInt8](hex: "021c00 04163412a0")))
        #expect(empty.serviceData == BLEOutOfBandData.ServiceData(serviceUUID: 0x1234, l2capPSM: nil))
        let two = try #require([UInt8](hex: "021c00 07163412a10018c0 04160101a0"))
        let data = try BLEOutOfBandData(decoding: two)
        #expect(data.serviceData?.l2capPSM == 192)
        #expect(data.otherStructures.count == 1)
    }

    @Test(arguments: [
        "", "00", "021c", "021c04", "031c0000", "011c", "021c00 021c00", "021c00 1107", "020900",
        "021c00 1007100f0e0d0c0b0a0908070605040302", "021c00 0107", "021c00 061b0102030405",
        "021c00 091b0102030405060708",
        "021c00 2107100f0e0d0c0b0a090807060504030201100f0e0d0c0b0a090807060504030201",
        "021c00 071b010203040506 071b010203040506", "021c00 00",
    ])
    func refusesMalformedPayloads(_ hex: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        let error = #expect(throws: MdocError.self) { try BLEOutOfBandData(decoding: bytes) }
        #expect(error?.code == .malformedBLEData)
    }

    @Test func payloadsThatCannotBeBuilt() {
        let long = [UInt8](repeating: 0, count: 255)
        for make in [
            { try BLEOutOfBandData(role: .central, address: [1, 2, 3, 4, 5]) },
            { try BLEOutOfBandData(role: .central, otherStructures: [.init(type: 9, data: long)]) },
            { try BLEOutOfBandData(role: .central, otherStructures: [.init(type: 0x1c, data: [0])]) },
        ] {
            let error = #expect(throws: MdocError.self) { try make() }
            #expect(error?.code == .invalidValue)
        }
    }
}
