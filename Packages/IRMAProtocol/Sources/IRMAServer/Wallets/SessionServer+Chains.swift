import IRMAMessages

extension SessionServer {
    /// Starts the next session of a chain, after proofs that verify.
    ///
    /// - Returns: The package of the next session, or nil at the end of the chain.
    /// - Throws: `NEXT_SESSION`.
    func startNext(_ record: inout SessionRecord) async throws(RemoteError) -> SessionPackage? {
        guard record.wishes.nextSessionURL != nil, record.result.proofStatus == .valid else { return nil }
        guard let message = try await delivery.nextSession(after: record.result, record.wishes) else { return nil }
        do throws(RemoteError) {
            let package = try await start(
                try permitted(message, by: record.requestor),
                requestor: record.requestor,
                in: Chain(frontendToken: record.frontendToken, implicit: record.shown)
            )
            record.result.nextSession = package.token
            record.next = package.pointer
            return package
        } catch {
            throw RemoteError(.nextSession, message: error.message)
        }
    }

    /// Refuses a session that the requestor of the one before may not start.
    private func permitted(_ message: RequestorMessage, by requestor: String?) throws(RemoteError) -> RequestorMessage {
        // A session of this process answers to nobody.
        guard let requestor else { return message }
        do throws(IRMAError) {
            if let reason = requestors.reasonAgainst(try message.request(), by: requestor, host: host) {
                throw IRMAError(.invalidRequest, "next session not authorized: \(reason)")
            }
        } catch {
            throw .invalidRequest(error.displayText)
        }
        return message
    }
}

extension SessionRecord {
    /// The attributes that were shown, with their values, as the sessions behind this one demand them.
    ///
    /// A disjunction that was answered with nothing keeps its place, since wallets answer it with nothing again.
    var shown: Condiscon {
        let lists = result.disclosed.prefix(effectiveRequest.disclose.disjunctions.count)
        return Condiscon(
            lists.map { list in
                let requests = (list ?? []).map { attribute in
                    AttributeRequest(attribute.id, value: attribute.id.attribute == nil ? nil : attribute.rawValue)
                }
                return AttributeDisjunction([AttributeConjunction(requests)])
            }
        )
    }
}
