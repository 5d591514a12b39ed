import CBORKit
import MdocKit

/// The wallet's first message to a website: its engagement (ISO/IEC TS 18013-7, A.5).
struct DeviceEngagementMessage: MdocReadable {
    let engagement: DeviceEngagement
    /// DeviceEngagementBytes: the tag-24 item exactly as built or received.
    let deviceEngagementBytes: [UInt8]

    init(_ engagement: DeviceEngagement) {
        self.engagement = engagement
        deviceEngagementBytes = engagement.taggedBytes
    }

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let member = try cbor(map.required("deviceEngagementBytes"))
        _ = try cbor(member.content(ofTag: 24))
        engagement = try DeviceEngagement(member, &reading)
        deviceEngagementBytes = [UInt8](member.encodedBytes)
    }

    func encoded() -> [UInt8] {
        CBORWriter.bytes { writer in
            writer.beginMap(count: 1)
            writer.write(text: "deviceEngagementBytes")
            writer.write(encoded: deviceEngagementBytes)
        }
    }
}
