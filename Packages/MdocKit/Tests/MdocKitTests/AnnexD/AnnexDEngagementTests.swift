import COSEKit
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// The engagements of Annex D.3.
@Suite struct AnnexDEngagementTests {
    @Test func readsTheQRCode() throws {
        let bytes = try AnnexD.figure("device-engagement-qr")
        let engagement = try DeviceEngagement(decoding: bytes)
        #expect(engagement.version == .v1_0)
        let key = try AnnexD.privateKey("ephemeral-device-key-private").publicKey
        #expect(try engagement.eDeviceKey.publicKey() == key)
        let options = BLEOptions(
            peripheralServerUUID: nil,
            centralClientUUID: UUID(uuidString: "45EFEF74-2B2C-4837-A9A3-B0E1D05A6917")
        )
        #expect(engagement.retrievalMethods == [.ble(options)])
        #expect(engagement.originInfos == nil)
        #expect(engagement.capabilities == nil)
        #expect(engagement.uri.hasPrefix("mdoc:owBjMS4wAYIB2BhYS6QBAiAB"))
        #expect(try DeviceEngagement(uri: engagement.uri).encodedBytes == bytes[...])
        let built = try DeviceEngagement(eDeviceKey: key, retrievalMethods: [.ble(options)])
        #expect(built.encodedBytes == bytes[...])
    }

    @Test func readsTheEngagementOfTheHandoverSelect() throws {
        let bytes = try AnnexD.figure("device-engagement-nfc")
        let engagement = try DeviceEngagement(decoding: bytes)
        #expect(engagement.retrievalMethods.isEmpty)
        #expect(try AnnexD.figure("nfc-handover-select").hex.hasSuffix(bytes.hex))
    }
}
