import CBORKit
import CryptoCore
import JSONKit
import MdocKit
import MdocProximity
import MdocResults
import Synchronization
import TestSupport
import Testing

/// The steps of a session, as a sequence and by callback.
@Suite struct ProximitySessionEventTests {
    /// The names of events, in order.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        func note(_ event: ProximitySessionEvent) { entries.withLock { $0.append(event.name) } }
        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
        var noted: [String] { entries.withLock { $0 } }
    }

    private static let beginning = ["engaged", "connecting", "connected"]
    private static let exchange = ["requestSent", "responseReceived", "verified"]

    /// The names of all events until the session ends.
    private func names(_ session: ProximityPresentationSession) async -> [String] {
        var names: [String] = []
        for await event in session.events { names.append(event.name) }
        return names
    }

    @Test func everyStepInOrder() async throws {
        let log = Log()
        let parties = try await ProximityParties.meet(onEvent: { log.note($0) })
        let wallet = try await parties.wallet()
        async let early = names(parties.session)
        let first = Task { try await parties.session.requestMobileCredentials(request: [ProximityParties.request]) }
        _ = try await wallet.nextRequest()
        await parties.clock.waitForSleeper(.seconds(300))
        parties.clock.advance(by: .seconds(300))
        await #expect(throws: PresentationSessionError.self) { try await first.value }
        async let second = parties.session.requestMobileCredentials(request: [ProximityParties.request])
        let received = try #require(try await wallet.nextRequest())
        try await wallet.respond(DeviceResponse(documents: []))
        try await wallet.respond(parties.response(to: received))
        #expect(try await second.verifiedCredentials.count == 1)
        await parties.session.terminate()
        let expected =
            Self.beginning + ["requestSent", "failed TimeoutError"] + Self.exchange + ["terminated thisSide 20"]
        #expect(await early == expected)
        #expect(log.noted == expected)
        // A sequence after the end has everything too.
        #expect(await names(parties.session) == expected)
    }

    @Test func aVerifiedEventCarriesTheResponse() async throws {
        let parties = try await ProximityParties.meet()
        let wallet = try await parties.wallet()
        async let asking = parties.session.requestMobileCredentials(request: [ProximityParties.request])
        let received = try #require(try await wallet.nextRequest())
        try await wallet.respond(parties.response(to: received))
        let response = try await asking
        for await event in parties.session.events {
            guard case .verified(let told) = event else { continue }
            #expect(told == response)
            break
        }
        await parties.session.terminate()
    }

    /// The response is returned first, then the end is told.
    @MainActor
    @Test func aTerminationInTheResponseComesLast() async throws {
        let log = Log()
        let ended = AsyncStream.makeStream(of: Void.self)
        let parties = try await ProximityParties.meet(
            onEvent: { log.note($0) },
            onSessionTerminated: { _ in
                log.note("onSessionTerminated")
                ended.continuation.finish()
            }
        )
        let wallet = Task {
            let wallet = try await parties.wallet()
            let received = try #require(try await wallet.nextRequest())
            try await wallet.respond(parties.response(to: received), terminating: true)
        }
        _ = try await parties.session.requestMobileCredentials(request: [ProximityParties.request])
        log.note("returned")
        for await _ in ended.stream {}
        try await wallet.value
        let expected = Self.beginning + Self.exchange + ["returned", "terminated otherSide 20", "onSessionTerminated"]
        #expect(log.noted == expected)
    }

    @Test func aFailureToConnect() async throws {
        let log = Log()
        let engagement = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))]).engagement.uri
        let verifier = MobileCredentialVerifier(trustAnchors: [], connector: SocketMdocConnector())
        await #expect(throws: PresentationSessionError.self) {
            _ = try await verifier.createProximityPresentationSession(
                encodedDeviceEngagementString: engagement,
                onEvent: { log.note($0) }
            )
        }
        #expect(log.noted == ["engaged", "connecting", "failed WalletUnavailable"])
    }

    @Test func sequencesOfAReleasedSessionEnd() async throws {
        var parties: ProximityParties? = try await ProximityParties.meet()
        let events = try #require(parties?.session.events)
        parties = nil
        var names: [String] = []
        for await event in events { names.append(event.name) }
        #expect(names == Self.beginning)
    }

    /// Options and policy of the reader hold for the claims of its sessions.
    @Test func optionsAndPolicyReachTheSession() async throws {
        func claims(_ options: MdocReadingOptions) async throws -> MobileCredentialPresentation {
            let parties = try await ProximityParties.meet(options: options)
            let wallet = try await parties.wallet()
            let request = MobileCredentialRequest(docType: .mDL, namespaces: [.mDL: ["birth_date": false]])
            async let asking = parties.session.requestMobileCredentials(request: [request])
            let received = try #require(try await wallet.nextRequest())
            let credential = try await parties.utopia.credential(.mDL, ["birth_date": "1990-05-15"])
            try await wallet.respond(parties.response(to: received, credential))
            let response = try await asking
            #expect(response.deviations.map(\.tolerance) == (options.tolerances.isEmpty ? [] : ["untaggedDate"]))
            await parties.session.terminate()
            return try #require(response.credentials.first)
        }
        #expect(try await claims(.strict).claimErrors == [.mDL: ["birth_date": .invalidValue]])
        #expect(try await claims(.deployed).claims?[.mDL]?["birth_date"]?.value == "1990-05-15")
        var policy = MdocVerificationPolicy()
        policy.status = .required
        let parties = try await ProximityParties.meet(policy: policy)
        let wallet = try await parties.wallet()
        async let asking = parties.session.requestMobileCredentials(request: [ProximityParties.request])
        let received = try #require(try await wallet.nextRequest())
        try await wallet.respond(parties.response(to: received))
        #expect(try await asking.credentials.first?.verificationResult.reason?.type == .statusUnknown)
    }
}

extension ProximitySessionEvent {
    /// The step without what changes from run to run.
    fileprivate var name: String {
        switch self {
        case .failed(let error): "failed \(error.type)"
        case .terminated(let termination): "terminated \(termination.summary)"
        case .engaged, .connecting, .connected, .requestSent, .responseReceived, .verified: description
        }
    }
}
