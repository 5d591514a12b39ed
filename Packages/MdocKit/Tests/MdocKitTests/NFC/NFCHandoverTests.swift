import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct NFCHandoverTests {
    @Test func readsAndRebuildsTheRequestOfAnnexD() throws {
        let bytes = try AnnexD.figure("nfc-handover-request")
        let request = try HandoverRequest(decoding: bytes)
        #expect(request.encodedBytes == bytes)
        #expect(request.collisionResolution == 0x0102)
        #expect(request.readerEngagement == nil)
        #expect(request.carriers.map(\.id) == [[0x30], Array("nfc".utf8), Array("W".utf8)])
        #expect(request.carriers.map(\.powerState) == [.active, .active, .active])
        #expect(request.offersNFC)
        #expect(request.bleModes == [.peripheralServer, .centralClient])
        // The UUID is in little-endian order.
        #expect(request.centralClientUUID == UUID(uuidString: "3A82D455-D5FC-4DB3-BEA0-6FD2F6FF32C8"))
        let rebuilt = try HandoverRequest(
            carriers: request.carriers,
            readerEngagement: nil,
            collisionResolution: 0x0102
        )
        #expect(rebuilt.encodedBytes == bytes)
    }

    @Test func readsAndRebuildsTheSelectOfAnnexD() throws {
        let bytes = try AnnexD.figure("nfc-handover-select")
        let request = try HandoverRequest(decoding: AnnexD.figure("nfc-handover-request"))
        let select = try HandoverSelect(decoding: bytes)
        #expect(select.encodedBytes == bytes)
        #expect([UInt8](select.deviceEngagement.encodedBytes) == (try AnnexD.figure("device-engagement-nfc")))
        guard case .ble(let data) = try #require(select.carriers.first).configuration else {
            Issue.record("no BLE")
            return
        }
        #expect(data.role == .central)
        #expect(data.serviceUUID == nil)
        #expect(data.address == [UInt8](hex: "28128b37282801"))
        let handover = NFCHandover(select: select, request: request)
        let options = BLEOptions(
            peripheralServerUUID: nil,
            centralClientUUID: request.centralClientUUID,
            address: data.address
        )
        #expect(try handover.retrievalMethods() == [.ble(options)])
        let transcript = try AnnexD.transcript()
        #expect(handover.handover == transcript.handover)
        #expect(handover.deviceEngagement.taggedBytes == transcript.deviceEngagementBytes)
        let rebuilt = try HandoverSelect(carriers: select.carriers, deviceEngagement: select.deviceEngagement)
        #expect(rebuilt.encodedBytes == bytes)
        let answer = try HandoverSelect(
            answering: request,
            selecting: .ble(options),
            deviceEngagement: select.deviceEngagement
        )
        #expect(answer.encodedBytes == bytes)
    }

    @Test func recordsInAnyOrder() throws {
        let engagement = try NFCExamples.engagement()
        let select = try NFCExamples.staticSelect()
        let methods = try select.retrievalMethods()
        #expect(methods.count == 2)
        for shift in select.message.records.indices {
            let records = Array(select.message.records[shift...] + select.message.records[..<shift])
            for order in [records, records.reversed()] {
                let bytes = try NDEFMessage(order).encodedBytes
                let read = try HandoverSelect(decoding: bytes)
                #expect(read.encodedBytes == bytes)
                #expect(try read.retrievalMethods() == methods)
                #expect(read.deviceEngagement.encodedBytes == engagement.encodedBytes)
            }
        }
        let request = try NFCExamples.request()
        #expect(request.readerEngagement?.version == .v1_0)
        let reversed = try HandoverRequest(decoding: NDEFMessage(request.message.records.reversed()).encodedBytes)
        #expect(reversed.carriers == request.carriers)
        #expect(reversed.readerEngagement?.encodedBytes == request.readerEngagement?.encodedBytes)
    }

    @Test func engagementBytesAreKept() throws {
        var value = try CBOR(decoding: AnnexD.figure("device-engagement-nfc"))
        value.set(77, "unknown")
        value.set(-1, [1, 2])
        let engagement = try DeviceEngagement(decoding: value.encoded())
        let select = try HandoverSelect(
            deviceEngagement: engagement,
            retrievalMethods: [.nfc(try NFCExamples.options(255, 256))]
        )
        let read = try HandoverSelect(decoding: select.encodedBytes)
        #expect([UInt8](read.deviceEngagement.encodedBytes) == value.encoded())
    }

    @Test(arguments: [(255, 256), (256, 257), (65535, 65535), (255, 65536), (65535, 65536)])
    func lengthsOfTheNFCCarrier(_ command: Int, _ response: Int) throws {
        let method = DeviceRetrievalMethod.nfc(try NFCExamples.options(command, response))
        let select = try HandoverSelect(deviceEngagement: NFCExamples.engagement(), retrievalMethods: [method])
        let record = try #require(select.message.records.first { $0.id == Array("nfc".utf8) })
        // 01, 03 01 hh ll, and 03 02 hh ll or 04 02 01 00 00.
        #expect(record.payload.count == (response == 65536 ? 10 : 9))
        #expect(Array(record.payload.prefix(3)) == [1, 3, 1])
        #expect(record.payload[5] == (response == 65536 ? 4 : 3))
        #expect(try HandoverSelect(decoding: select.encodedBytes).retrievalMethods() == [method])
    }

    @Test func otherCarriersAreKept() throws {
        let other = try NDEFRecord(.media, type: Array("application/x".utf8), id: [9], payload: [1, 2])
        let carriers = [
            HandoverCarrier(.wifiAware([1, 2, 3])), HandoverCarrier(.other(other), powerState: .activating),
        ]
        let select = try HandoverSelect(carriers: carriers, deviceEngagement: NFCExamples.engagement())
        let read = try HandoverSelect(decoding: select.encodedBytes)
        #expect(read.carriers == carriers)
        #expect(try read.retrievalMethods().isEmpty)
        let request = try HandoverRequest(carriers: carriers)
        for carrier in carriers {
            let one = try HandoverSelect(carriers: [carrier], deviceEngagement: NFCExamples.engagement())
            #expect(try one.retrievalMethods(answering: request).isEmpty)
            let error = #expect(throws: MdocError.self) {
                try one.retrievalMethods(answering: NFCExamples.request())
            }
            #expect(error?.code == .handoverRefused)
        }
    }

    @Test func typesInCapitalsAreTheSame() throws {
        let select = try NFCExamples.staticSelect()
        let records = try select.message.records.map { record in
            guard record.typeNameFormat == .media else { return record }
            let type = Array(String(decoding: record.type, as: UTF8.self).uppercased().utf8)
            return try NDEFRecord(.media, type: type, id: record.id, payload: record.payload)
        }
        let read = try HandoverSelect(decoding: NDEFMessage(records).encodedBytes)
        #expect(try read.retrievalMethods() == select.retrievalMethods())
    }

    @Test func eachBLEModeInNegotiatedHandover() throws {
        let request = try NFCExamples.request()
        let engagement = try NFCExamples.engagement()
        let peripheral = DeviceRetrievalMethod.ble(
            BLEOptions(peripheralServerUUID: NFCExamples.otherUUID, centralClientUUID: nil)
        )
        let central = DeviceRetrievalMethod.ble(
            BLEOptions(peripheralServerUUID: nil, centralClientUUID: NFCExamples.uuid)
        )
        for method in [peripheral, central, .nfc(try NFCExamples.options(255, 256))] {
            let select = try HandoverSelect(answering: request, selecting: method, deviceEngagement: engagement)
            let read = try HandoverSelect(decoding: select.encodedBytes)
            #expect(read.carriers.count == 1)
            #expect(try read.retrievalMethods(answering: request) == [method])
        }
    }

    @Test func selectionsThatWereNotOffered() throws {
        let engagement = try NFCExamples.engagement()
        let nfcOnly = try HandoverRequest(carriers: [HandoverCarrier(.nfc(nil))])
        let both = BLEOptions(peripheralServerUUID: NFCExamples.uuid, centralClientUUID: NFCExamples.uuid)
        let wrong = BLEOptions(peripheralServerUUID: nil, centralClientUUID: NFCExamples.otherUUID)
        let cases: [(HandoverRequest, DeviceRetrievalMethod)] = [
            (nfcOnly, .ble(wrong)), (try NFCExamples.request(), .ble(both)), (try NFCExamples.request(), .ble(wrong)),
            (nfcOnly, .wifiAware(WiFiAwareOptions(supportedBands: []))), (nfcOnly, .website(uri: "https://a.example")),
        ]
        for (request, method) in cases {
            let error = #expect(throws: MdocError.self, "\(method)") {
                try HandoverSelect(answering: request, selecting: method, deviceEngagement: engagement)
            }
            #expect(error?.code == .handoverRefused, "\(method)")
        }
        let twoCarriers = try NFCExamples.staticSelect()
        let error = #expect(throws: MdocError.self) {
            try twoCarriers.retrievalMethods(answering: NFCExamples.request())
        }
        #expect(error?.code == .handoverRefused)
        let ble = try HandoverSelect(deviceEngagement: engagement, retrievalMethods: [.ble(both)])
        let notOffered = #expect(throws: MdocError.self) { try ble.retrievalMethods(answering: nfcOnly) }
        #expect(notOffered?.code == .handoverRefused)
    }

    @Test func methodsThatNoRecordHolds() throws {
        let psm = BLEOptions(peripheralServerUUID: NFCExamples.uuid, centralClientUUID: nil, l2capPSM: 192)
        let different = BLEOptions(peripheralServerUUID: NFCExamples.uuid, centralClientUUID: NFCExamples.otherUUID)
        let none = BLEOptions(peripheralServerUUID: nil, centralClientUUID: nil)
        let nfc = DeviceRetrievalMethod.nfc(try NFCExamples.options(255, 256))
        let cases: [[DeviceRetrievalMethod]] = [
            [], [.wifiAware(WiFiAwareOptions(supportedBands: []))], [.website(uri: "https://a.example")],
            [.other(type: 9, version: 1, options: nil)], [.ble(psm)], [.ble(different)], [.ble(none)], [nfc, nfc],
        ]
        for methods in cases {
            let error = #expect(throws: MdocError.self, "\(methods)") {
                try HandoverSelect(deviceEngagement: NFCExamples.engagement(), retrievalMethods: methods)
            }
            #expect(error?.code == .malformedHandover, "\(methods)")
        }
    }
}
