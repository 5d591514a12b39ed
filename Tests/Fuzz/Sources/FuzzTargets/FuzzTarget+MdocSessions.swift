import MdocKit
import MdocProximity
import TestSupport

extension FuzzTarget {
    /// The machines of MdocKit's sessions, each against a peer that sends whatever it likes.
    package static let mdocSessions = [
        FuzzTarget(name: "mdoc-device-session") { bytes in
            try InlineTask.run { try await device(receives: bytes.messages) }
        },
        FuzzTarget(name: "mdoc-reader-session") { bytes in
            try InlineTask.run { try await reader(receives: bytes.messages) }
        },
        FuzzTarget(name: "mdoc-website") { bytes in
            try InlineTask.run {
                let website = try EngagedWebsite(
                    uri: "https://a.example/",
                    domain: "",
                    acceptsUnknownDomain: true,
                    options: .deployed
                )
                _ = try await website.receive(bytes)
            }
        },
        FuzzTarget(name: "mdoc-website-visitor") { bytes in
            try InlineTask.run {
                let visitor = try WebsiteVisitor(
                    link: AnnexDSession.shared.websiteLink,
                    domain: "a.example",
                    options: .deployed
                )
                switch await visitor.receive(bytes) {
                case .established: require(false, "nobody else knows the keys")
                case .ended(let termination, _): require(termination.initiator != .channel, "the website ends it")
                }
            }
        },
    ]

    private static func device(receives messages: [[UInt8]]) async throws {
        let session = AnnexDSession.shared
        guard let first = messages.first else { return }
        let engaged = try EngagedDevice(engagement: session.engagement, key: session.deviceKey, options: .deployed)
        switch await engaged.receive(first, handover: session.handover) {
        case .ended(let termination, _): require(termination.initiator != .channel, "no channel was lost")
        case .established(var machine, let request):
            require(request == session.request, "nobody else knows the keys")
            for message in messages.dropFirst() {
                let wasOver = machine.termination != nil
                let effects = machine.receive(message)
                require(!wasOver || effects.isEmpty, "nothing comes after the end")
                for case .request in effects { require(false, "a request is taken once") }
            }
        }
    }

    private static func reader(receives messages: [[UInt8]]) async throws {
        let session = AnnexDSession.shared
        var machine = try await ReaderSessionMachine(
            engagement: session.engagement,
            handover: session.handover,
            readerKey: session.readerKey,
            options: .deployed
        )
        let (id, _) = try machine.request(DeviceRequest(decoding: session.request))
        for message in messages {
            let wasOver = machine.termination != nil
            let effects = machine.receive(message)
            require(!wasOver || effects.isEmpty, "nothing comes after the end")
            for case .response(let response, let answered) in effects {
                require(response == session.response && answered == id, "nobody else knows the keys")
            }
        }
    }
}
