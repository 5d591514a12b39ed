import CredentialServing
import CredentialTransport
import IRMAMessages
import Synchronization

/// Sends results to the URLs that requestors name.
final class ResultDelivery: Sendable {
    let services: SessionServices
    let issuer: String
    private let tasks = Mutex<(count: Int, running: [Int: Task<Void, Never>])>((0, [:]))

    /// The number of times that a callback is tried.
    static let attempts = 3
    /// The pause before the second attempt; the one before the third is twice as long.
    static let pause = Duration.milliseconds(100)

    init(_ services: SessionServices, issuer: String) {
        self.services = services
        self.issuer = issuer
    }

    /// Sends the result of a session that has ended to its callback URL, if it has one.
    func deliver(_ record: SessionRecord) {
        guard let url = record.wishes.callbackURL, services.transport != nil else { return }
        tasks.withLock { tasks in
            let number = tasks.count
            tasks.count += 1
            tasks.running[number] = Task {
                await self.deliver(record, to: url)
                _ = self.tasks.withLock { $0.running.removeValue(forKey: number) }
            }
        }
    }

    /// Waits until nothing is on its way.
    func finish() async {
        while let task = tasks.withLock({ $0.running.first?.value }) { await task.value }
    }

    private func deliver(_ record: SessionRecord, to url: String) async {
        guard let request = try? await message(record.result, record.wishes, to: url, statuses: .successful) else {
            return
        }
        for attempt in 1...Self.attempts {
            do {
                _ = try await services.transport?.response(to: request)
                return
            } catch {
                guard attempt < Self.attempts, !error.code.isRefusal else { return }
            }
            do { try await services.clock.timer.sleep(for: Self.pause * attempt) } catch { return }
        }
    }

    /// Asks for the next session of a chain; nil at its end.
    func nextSession(
        after result: SessionResult,
        _ wishes: RequestorOptions
    ) async throws(RemoteError)
        -> RequestorMessage?
    {
        guard let url = wishes.nextSessionURL, let transport = services.transport else { return nil }
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
        let isSigned = services.resultSigner != nil
        do {
            let body = isSigned ? Array(try await token(result, wishes: wishes).utf8) : try result.encodedBytes()
            let type = try MediaType(isSigned ? "text/plain; charset=UTF-8" : "application/json; charset=UTF-8")
            return .post(try HTTPURL(url), body: body, type: type, accepting: .any, statuses: statuses)
        } catch let error as RemoteError {
            throw error
        } catch {
            throw RemoteError(.exception, message: "the result cannot be sent")
        }
    }
}

extension TransportError.Code {
    /// Indicates a target that the transport refuses, now and later.
    fileprivate var isRefusal: Bool {
        [
            .invalidURL, .schemeNotAllowed, .portNotAllowed, .literalAddressNotAllowed, .addressNotAllowed, .cancelled,
        ].contains(self)
    }
}
