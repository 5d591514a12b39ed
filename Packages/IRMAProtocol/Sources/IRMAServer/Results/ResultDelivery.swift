import CredentialServing
import CredentialTransport
import CryptoCore
import IRMAMessages

/// Sends results to the URLs that requestors name.
final class ResultDelivery: Sendable {
    let signer: (any Signer)?
    let issuer: String
    let clock: SessionClock
    private let transport: (any HTTPTransport)?
    private let callbacks: CallbackDelivery?

    /// Sends results over a transport, signed by a key where there is one.
    init(over transport: (any HTTPTransport)?, signer: (any Signer)?, issuer: String, clock: SessionClock) {
        self.transport = transport
        self.signer = signer
        self.issuer = issuer
        self.clock = clock
        callbacks = transport.map { CallbackDelivery(transport: $0, timer: clock.timer) }
    }

    /// Sends the result of a session that has ended to its callback URL, if it has one.
    ///
    /// - Parameter whenSettled: Called once the callback has taken the result, or cannot get it.
    func deliver(
        _ result: SessionResult,
        _ wishes: RequestorOptions,
        whenSettled: @escaping @Sendable () async -> Void
    ) {
        guard let target = target(of: wishes) else { return }
        callbacks?.deliver(
            { try await self.message(result, wishes, to: target, statuses: .successful) },
            named: result.token,
            whenAccepted: whenSettled,
            whenRefused: { _ in await whenSettled() }
        )
    }

    /// Indicates that a session's result is on its way, or waits for the next attempt.
    func isUnderWay(_ token: String) -> Bool { callbacks?.isUnderWay(token) ?? false }

    /// The URL that a session's result is sent to; nil for none.
    func target(of wishes: RequestorOptions) -> String? {
        guard callbacks != nil, let url = wishes.callbackURL else { return nil }
        let target = Self.callback(url)
        return (try? HTTPURL(target)) == nil ? nil : target
    }

    /// The URL that results are sent to: with a slash at its end, as requestors know it from the existing server.
    private static func callback(_ url: String) -> String { url.hasSuffix("/") ? url : url + "/" }

    /// Waits until nothing is on its way.
    func finish() async { await callbacks?.finish() }

    /// Asks for the next session of a chain; nil at its end.
    func nextSession(
        after result: SessionResult,
        _ wishes: RequestorOptions
    ) async throws(RemoteError)
        -> RequestorMessage?
    {
        guard let url = wishes.nextSessionURL, let transport else { return nil }
        let request = try await message(result, wishes, to: url, statuses: [200, 204])
        let response: HTTPTransportResponse
        do {
            response = try await transport.response(to: request)
        } catch {
            throw RemoteError(.nextSession, message: "the requestor did not answer (\(error.code))")
        }
        guard response.status != 204 else { return nil }
        do {
            return try RequestorMessage(decoding: response.body)
        } catch {
            throw RemoteError(.nextSession, message: error.displayText)
        }
    }

    /// The result as a token, or in JSON without a key.
    private func message(
        _ result: SessionResult,
        _ wishes: RequestorOptions,
        to url: String,
        statuses: AcceptedStatuses
    ) async throws(RemoteError) -> HTTPTransportRequest {
        let isSigned = signer != nil
        do {
            let body = isSigned ? Array(try await token(result, wishes: wishes).utf8) : try result.encoded()
            let type = isSigned ? try MediaType("text/plain") : .json
            return .post(
                try HTTPURL(url),
                body: body,
                type: type,
                charset: .utf8,
                accepting: .any,
                statuses: statuses
            )
        } catch let error as RemoteError {
            throw error
        } catch {
            throw RemoteError(.exception, message: "the result cannot be sent")
        }
    }
}
